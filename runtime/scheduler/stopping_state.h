#pragma once

#include <string>

#include "runtime/scheduler/scheduler_state.h"

namespace wiesel::runtime {

/// What Restarting, Failing and Canceling share: the tasks are asked to end, the workers of those
/// that do not within task.cancellation.timeout are killed, and when all have ended it goes on.
class StoppingState : public SchedulerState {
 public:
  using SchedulerState::SchedulerState;

  void enter() final;
  void onTasksChanged() final;

 protected:
  /// Why the tasks have to stop, for declined checkpoints and logs.
  virtual std::string cause() const = 0;
  /// Called when the state is entered, before the tasks are asked.
  virtual void begin() {}
  /// All tasks have ended. Called once, or more often if it does not leave the state.
  virtual void onStopped() = 0;

  /// onStopped(), if all tasks have ended.
  void goOnIfStopped();
};

}  // namespace wiesel::runtime
