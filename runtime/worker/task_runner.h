#pragma once

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "runtime/task/stream_task.h"

namespace wiesel::runtime {

/// Drives tasks: calls step() of each until it is done.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;

  /// The caller keeps the task until `on_done` is called: once, on any thread, after its last step.
  /// One that a simulated process leaves behind when it is killed ends with the caller instead.
  /// An error: the task makes no step, and nothing is called.
  virtual absl::Status run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) = 0;
};

}  // namespace wiesel::runtime
