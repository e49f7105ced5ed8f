#pragma once

#include <string>
#include <vector>

#include "runtime/jobmanager/job_view.h"

namespace wiesel::runtime {

// JSON answers about jobs, in Flink 1.20's shapes. Times are epoch milliseconds, -1: not yet.

/// GET /jobs
std::string jobIdsMessage(const std::vector<JobView>& jobs);
/// GET /jobs/overview
std::string jobsOverviewMessage(const std::vector<JobView>& jobs);
/// GET /jobs/:jobid. The io metrics of vertices are zero and not complete until they are measured.
/// A field of ours, "waiting", says what a job that cannot start is waiting for; it is empty
/// otherwise.
std::string jobDetailsMessage(const JobView& job);
/// GET /jobs/:jobid/status
std::string jobStatusMessage(const JobView& job);
/// GET /jobs/:jobid/execution-result: of a job that is over, else that it is in progress.
std::string executionResultMessage(const JobView& job);

}  // namespace wiesel::runtime
