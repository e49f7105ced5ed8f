#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "runtime/worker/task_runner.h"

namespace wiesel::runtime {

/// A thread for each task, which parks while the task is idle: user functions may block.
///
/// Threads: thread-safe. The destructor waits for all tasks, so they must have been cancelled.
class ThreadTaskRunner final : public TaskRunner {
 public:
  ThreadTaskRunner() = default;
  ~ThreadTaskRunner() override;

  void run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) override;

 private:
  struct Runner {
    std::thread thread;
    bool done = false;
  };

  void joinFinished();

  std::mutex mutex_;
  std::list<Runner> runners_;  // Guarded by mutex_.
};

}  // namespace wiesel::runtime
