#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/worker/task_runner.h"

namespace wiesel::runtime {

/// A thread for each task, which parks while the task is idle: user functions may block.
///
/// Threads: thread-safe. The destructor waits for all tasks, so they must have been cancelled.
class ThreadTaskRunner final : public TaskRunner {
 public:
  /// Starts a thread, or throws std::system_error as std::thread does.
  using StartThread = std::function<std::thread(std::function<void()>)>;

  ThreadTaskRunner();
  explicit ThreadTaskRunner(StartThread start_thread) : start_thread_(std::move(start_thread)) {}
  ~ThreadTaskRunner() override;

  /// ResourceExhausted when the system gives no thread.
  absl::Status run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) override;

  /// Waits until no task runs, for `timeout_ms` at most; returns the names of those that still do.
  std::vector<std::string> awaitAll(int64_t timeout_ms);

 private:
  struct Runner {
    std::string task_name;
    std::thread thread;
    bool done = false;
  };

  void joinFinished();

  const StartThread start_thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Runner> runners_;  // Guarded by mutex_.
};

}  // namespace wiesel::runtime
