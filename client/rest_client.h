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

  /// "waiting for 2 slots, 1 there", or empty.
  absl::StatusOr<std::string> whatJobWaitsFor(const std::string& job_id) const;

  /// OK when the cancellation was accepted.
  absl::Status cancel(const std::string& job_id) const;

 private:
  absl::StatusOr<std::string> call(const std::string& method, const std::string& target,
                                   int expected_status) const;

  const std::string address_;
};

}  // namespace wiesel::client
