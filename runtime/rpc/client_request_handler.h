#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/proto/client.pb.h"

namespace wiesel::runtime {

/// What a JobManager does for its clients, as the GrpcLinkServer asks it.
///
/// Threads: called on gRPC's threads: hand on, do not wait. `done` may be called from any thread,
///          once.
class ClientRequestHandler {
 public:
  template <class Response>
  using Done = std::function<void(absl::StatusOr<Response>)>;

  virtual ~ClientRequestHandler() = default;

  /// The binary is in the BlobStore. Answers the job's id as soon as the job is accepted.
  virtual void submitJob(proto::SubmitJobRequest request, Done<std::string> done) = 0;

  /// Answers when the job has reached a terminal state; NotFound for an unknown job.
  virtual void waitForJob(const std::string& job_id, Done<proto::JobResult> done) = 0;

  /// Answers when the cancellation has begun; NotFound, or FailedPrecondition when the job is over.
  virtual void cancelJob(const std::string& job_id, std::function<void(absl::Status)> done) = 0;
};

}  // namespace wiesel::runtime
