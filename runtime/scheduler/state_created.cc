#include "runtime/scheduler/state_created.h"

#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/state_canceling.h"
#include "runtime/scheduler/state_waiting_for_resources.h"

namespace wiesel::runtime {

void Created::onResourcesChanged() { job_.goTo(std::make_unique<WaitingForResources>(job_)); }

void Created::onFailure(const JobFailure& failure) { job_.handleFailure(failure); }

void Created::onCancel() { job_.goTo(std::make_unique<Canceling>(job_)); }

}  // namespace wiesel::runtime
