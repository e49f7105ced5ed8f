#include "runtime/scheduler/stopping_state.h"

#include "runtime/scheduler/job_scheduler.h"

namespace wiesel::runtime {

void StoppingState::enter() {
  begin();
  job_.cancelTasks(cause());
  const int64_t timeout_ms = job_.settings().cancellation_timeout_ms;
  if (timeout_ms > 0) {
    job_.timer(SchedulerTimer::kCancellation).set(timeout_ms, [this] {
      job_.killWorkersThatDoNotCancel();
    });
  }
  goOnIfStopped();
}

void StoppingState::onTasksChanged() { goOnIfStopped(); }

void StoppingState::goOnIfStopped() {
  if (!job_.graph().allTerminal()) return;
  job_.timer(SchedulerTimer::kCancellation).cancel();
  onStopped();
}

}  // namespace wiesel::runtime
