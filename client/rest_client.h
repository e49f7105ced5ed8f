#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wiesel::client {

struct JobSummary {
  std::string id;
  std::string name;
  std::string status;    // Flink's name: RUNNING, ...
  int64_t start_ms = 0;  // Epoch.
};

/// What keeps a job from running.
struct JobTrouble {
  std::string waiting;  // "waiting for 2 slots, 1 there", or empty.
  int64_t restarts = 0;
  std::string restart_cause;  // Of the newest, in one line.
};

/// What the verbs ask of a JobManager, over REST.
///
/// Errors: Unavailable when nobody answers at the address; NotFound, FailedPrecondition and the
/// like
///         for what the server refuses, with its texts.
class RestClient {
 public:
  /// `address` is "host:port".
  explicit RestClient(std::string address);

  /// host:port of the gRPC server. FailedPrecondition when the other side is no Wiesel.
  absl::StatusOr<std::string> rpcAddress() const;

  /// In the order of their start.
  absl::StatusOr<std::vector<JobSummary>> jobs() const;

  absl::StatusOr<JobTrouble> troubleOf(const std::string& job_id) const;

  /// OK when the cancellation was accepted.
  absl::Status cancel(const std::string& job_id) const;

 private:
  absl::StatusOr<std::string> call(const std::string& method, const std::string& target,
                                   int expected_status) const;

  const std::string address_;
};

}  // namespace wiesel::client
