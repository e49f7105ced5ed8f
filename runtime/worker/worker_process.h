#pragma once

#include "runtime/graph/job_plan.h"
#include "runtime/jobcode/worker_environment.h"

namespace wiesel::runtime {

/// Serves the tasks of `plan`'s job until the JobManager does not need this process any more or is
/// lost; then ends it. What main() would do after execute() does not happen.
[[noreturn]] void runWorkerProcess(const JobPlan& plan, const WorkerEnvironment& environment);

}  // namespace wiesel::runtime
