#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "common/event_loop.h"
#include "runtime/worker/task_runner.h"

namespace wiesel::runtime {

/// Steps tasks on event loops, one closure a step: how tasks run in a simulation, where the loops
/// belong to one thread and a seed picks which goes on.
///
/// Threads: those of the loops.
class LoopTaskRunner final : public TaskRunner {
 public:
  /// `new_loop` gives the loop of a task; it outlives the runner.
  explicit LoopTaskRunner(std::function<EventLoop&()> new_loop) : new_loop_(std::move(new_loop)) {}

  absl::Status run(std::shared_ptr<StreamTask> task, std::function<void()> on_done) override;

 private:
  std::function<EventLoop&()> new_loop_;
};

}  // namespace wiesel::runtime
