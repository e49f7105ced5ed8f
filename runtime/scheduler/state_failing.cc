#include "runtime/scheduler/state_failing.h"

#include <memory>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_finishing.h"

namespace wiesel::runtime {

std::string Failing::cause() const {
  return "the job has failed: " + failureLine(job_.history().entries().front().root);
}

void Failing::begin() {
  cause_awaited_ = true;
  job_.timer(SchedulerTimer::kCause).set(job_.settings().cause_grace_ms, [this] {
    cause_awaited_ = false;
    goOnIfStopped();
  });
}

void Failing::onStopped() {
  const ExceptionEntry& entry = job_.history().entries().front();
  if (cause_awaited_ && !entry.root.cause_known) return;
  WIESEL_LOG(ERROR) << absl::StrFormat("Job %s has failed (attempt=%d): %s; %s", job_.jobId(),
                                       job_.graph().attempt(), failureLine(entry.root),
                                       entry.job_exception);
  job_.goTo(std::make_unique<Finishing>(job_, JobStatus::kFailed));
}

void Failing::onFailure(const JobFailure& failure) { job_.history().addConcurrent(failure); }

}  // namespace wiesel::runtime
