#include "runtime/scheduler/state_finishing.h"

#include "runtime/scheduler/job_scheduler.h"

namespace wiesel::runtime {

Finishing::Finishing(JobScheduler& job, JobStatus final_status)
    : SchedulerState(job), status_before_(job.status()), final_status_(final_status) {}

void Finishing::enter() { job_.end(final_status_); }

}  // namespace wiesel::runtime
