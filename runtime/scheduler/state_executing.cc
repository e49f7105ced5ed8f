#include "runtime/scheduler/state_executing.h"

#include <memory>

#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_canceling.h"
#include "runtime/scheduler/state_finishing.h"

namespace wiesel::runtime {

void Executing::onTasksChanged() {
  if (!job_.graph().allIn(proto::FINISHED)) return;
  job_.goTo(std::make_unique<Finishing>(job_, JobStatus::kFinished));
}

void Executing::onFailure(const JobFailure& failure) {
  // The end of a worker whose tasks have all finished is no failure: their results are committed.
  const bool touches_tasks = failure.lost_worker_id.empty() || !failure.info.task_name().empty();
  if (touches_tasks) job_.handleFailure(failure);
}

void Executing::onCancel() { job_.goTo(std::make_unique<Canceling>(job_)); }

}  // namespace wiesel::runtime
