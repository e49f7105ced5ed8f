#pragma once

#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "common/executor.h"
#include "common/mutex.h"

namespace wiesel {

/// An Executor with a fixed number of threads; closures start in the order of execute().
///
/// Bounds: the queue has none; callers bound what they hand in.
class ThreadPool final : public Executor {
 public:
  /// Requires num_threads >= 1. `name` is shown by debuggers and top (its first 15 characters).
  ThreadPool(int num_threads, const std::string& name);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() override;  // stop()

  /// After stop() the closure is destroyed unrun.
  void execute(std::function<void()> closure) override ABSL_LOCKS_EXCLUDED(mutex_);

  /// Finishes the closures that run, destroys the waiting ones unrun and ends the threads.
  /// Idempotent. Not callable from a thread of the pool.
  void stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void run() ABSL_LOCKS_EXCLUDED(mutex_);
  /// Waits for the next closure; null when the pool stops.
  std::function<void()> takeNext() ABSL_LOCKS_EXCLUDED(mutex_);

  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;  // Last: they use the members above.
};

}  // namespace wiesel
