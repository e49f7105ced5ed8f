#pragma once

#include <string>
#include <thread>

#include "common/delay_queue.h"
#include "common/event_loop.h"
#include "common/mutex.h"

namespace wiesel {

/// An EventLoop on a thread of its own, which starts at once.
class ThreadEventLoop final : public EventLoop {
 public:
  /// `name` is shown by debuggers and top (its first 15 characters).
  explicit ThreadEventLoop(const std::string& name);
  ThreadEventLoop(const ThreadEventLoop&) = delete;
  ThreadEventLoop& operator=(const ThreadEventLoop&) = delete;
  ~ThreadEventLoop() override;  // stop()

  void post(std::function<void()> closure) override ABSL_LOCKS_EXCLUDED(mutex_);
  uint64_t postAfter(int64_t delay_ms, std::function<void()> closure) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void cancelTimer(uint64_t timer_id) override ABSL_LOCKS_EXCLUDED(mutex_);
  bool runsHere() const override;

  /// Finishes the closure that runs, destroys the waiting ones unrun and ends the thread.
  /// Idempotent. Not callable from the loop itself.
  void stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  uint64_t push(int64_t delay_ms, std::function<void()> closure) ABSL_LOCKS_EXCLUDED(mutex_);
  void run() ABSL_LOCKS_EXCLUDED(mutex_);
  /// Waits for the next due closure; null when the loop stops.
  std::function<void()> takeNext() ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;
  CondVar changed_;
  DelayQueue queue_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // Last: it uses the members above.
};

}  // namespace wiesel
