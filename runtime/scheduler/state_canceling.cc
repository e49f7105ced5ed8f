#include "runtime/scheduler/state_canceling.h"

#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_finishing.h"

namespace wiesel::runtime {

void Canceling::onStopped() { job_.goTo(std::make_unique<Finishing>(job_, JobStatus::kCanceled)); }

}  // namespace wiesel::runtime
