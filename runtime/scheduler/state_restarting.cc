#include "runtime/scheduler/state_restarting.h"

#include <memory>

#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_canceling.h"
#include "runtime/scheduler/state_failing.h"
#include "runtime/scheduler/state_waiting_for_resources.h"

namespace wiesel::runtime {

std::string Restarting::cause() const {
  return "the job is restarting: " + failureLine(job_.history().entries().front().root);
}

void Restarting::begin() {
  job_.ensureWorkers();  // A worker that is gone gets its successor while the other tasks end.
  if (delay_ms_ == 0) {
    delay_over_ = true;
    return;
  }
  job_.timer(SchedulerTimer::kRestart).set(delay_ms_, [this] {
    delay_over_ = true;
    goOnIfStopped();
  });
}

void Restarting::onStopped() {
  if (!restore_asked_) {
    restore_asked_ = true;
    job_.restoreLatest();
  }
  if (!delay_over_) return;
  job_.beginNextAttempt();
  job_.goTo(std::make_unique<WaitingForResources>(job_));
}

// New slots get their worker at once, so that it starts while the old tasks end.
void Restarting::onResourcesChanged() { job_.ensureWorkers(); }

void Restarting::onFailure(const JobFailure& failure) {
  if (failure.recovery == Recovery::kNever) return job_.handleFailure(failure);
  job_.history().addConcurrent(failure);
}

void Restarting::onCancel() { job_.goTo(std::make_unique<Canceling>(job_)); }

}  // namespace wiesel::runtime
