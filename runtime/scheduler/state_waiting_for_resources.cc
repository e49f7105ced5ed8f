#include "runtime/scheduler/state_waiting_for_resources.h"

#include <memory>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_canceling.h"
#include "runtime/scheduler/state_executing.h"

namespace wiesel::runtime {
namespace {

// Slots that are free are granted within this time; a job that has to wait longer says so.
constexpr int64_t kSaysThatItWaitsAfterMs = 500;

}  // namespace

void WaitingForResources::enter() {
  job_.schedule();
  onResourcesChanged();
}

void WaitingForResources::onResourcesChanged() {
  job_.ensureWorkers();
  if (job_.canDeploy()) {
    job_.deploy();
    return job_.goTo(std::make_unique<Executing>(job_));
  }
  if (job_.slots().missing() > 0) return waitForSlots();
  job_.timer(SchedulerTimer::kSlots).cancel();
  job_.timer(SchedulerTimer::kSaysThatItWaits).cancel();
  waitForWorkers();
}

void WaitingForResources::waitForSlots() {
  job_.timer(SchedulerTimer::kWorkers).cancel();
  if (job_.timer(SchedulerTimer::kSlots).isSet()) return;
  job_.timer(SchedulerTimer::kSlots).set(job_.settings().slot_request_timeout_ms, [this] {
    job_.fail(
        absl::StrFormat(
            "NoResourceAvailableException: Could not acquire the minimum required resources: the "
            "job was %s, for %d ms "
            "(slot.request.timeout). Start more TaskManagers, give them more slots "
            "(taskmanager.numberOfTaskSlots) or lower the job's parallelism",
            job_.waitingText(), job_.settings().slot_request_timeout_ms),
        Recovery::kOnceDeployed);
  });
  job_.timer(SchedulerTimer::kSaysThatItWaits).set(kSaysThatItWaitsAfterMs, [this] {
    WIESEL_LOG(WARN) << absl::StrFormat("Job %s is %s (slot.request.timeout=%d ms)", job_.jobId(),
                                        job_.waitingText(),
                                        job_.settings().slot_request_timeout_ms);
  });
}

void WaitingForResources::waitForWorkers() {
  if (job_.timer(SchedulerTimer::kWorkers).isSet()) return;
  job_.timer(SchedulerTimer::kWorkers).set(job_.settings().slot_request_timeout_ms, [this] {
    job_.workers().killStarting(absl::StrFormat(
        "the worker process did not connect to the JobManager within %d ms (slot.request.timeout)",
        job_.settings().slot_request_timeout_ms));
  });
}

void WaitingForResources::onFailure(const JobFailure& failure) {
  // With its TaskManager a worker's slots are gone, and others are being waited for: nothing
  // failed.
  const bool slots_gone = !failure.lost_worker_id.empty() &&
                          !job_.slots().taskManagers().contains(failure.task_manager_id);
  if (!slots_gone) job_.handleFailure(failure);
}

void WaitingForResources::onCancel() { job_.goTo(std::make_unique<Canceling>(job_)); }

}  // namespace wiesel::runtime
