#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/jobcode/worker_environment.h"
#include "runtime/proto/client.pb.h"

namespace wiesel::runtime {

struct SubmittedJob {
  std::string job_id;
  std::optional<proto::JobResult> result;  // When it was waited for.
};

/// What execute() does in a binary that `wiesel run` started: brings the binary (the file of this
/// process, with its arguments) and the graph to the JobManager and prints
///   Job has been submitted with JobID ...
/// Unless detached, waits for the job's end; when it has FINISHED, prints Flink's closing lines.
/// Any other end is told by the result, which `wiesel run` hears as well, through `status_fd`.
///
/// A graph without a job id gets a random one. Workers get the client's configuration and TZ,
/// beside the arguments.
///
/// Threads: blocks the caller.
/// Errors:  what the JobManager says about a job that it refuses; Unavailable when it cannot be
///          reached, or is lost while the job runs. The message is one line, cause first.
absl::StatusOr<SubmittedJob> submitJob(const proto::JobGraph& graph,
                                       const ClientEnvironment& client);

}  // namespace wiesel::runtime
