#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "common/random.h"
#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// Decides whether, and after what delay, a failed job starts again.
///
/// Units:   milliseconds of a clock that never goes back; the caller reads it.
/// Threads: not thread-safe; belongs to one job.
/// Flink:   RestartBackoffTimeStrategy (1.20) and its four implementations.
class RestartStrategy {
 public:
  virtual ~RestartStrategy() = default;

  /// Counts a failure of the job; returns the delay until it may start again, or nullopt when the
  /// job has to be given up.
  virtual std::optional<int64_t> onFailure(int64_t now_ms) = 0;

  /// Flink's text of the strategy, such as
  /// "FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=5, backoffTimeMS=10000)".
  virtual std::string text() const = 0;
};

/// Makes the strategy that `settings` name. An empty type means exponential-delay with Flink's
/// defaults when `checkpointing` is on, and none otherwise. `random` gives the jitter and must
/// outlive the strategy. InvalidArgument names the option, its value and what it has to be.
absl::StatusOr<std::unique_ptr<RestartStrategy>> makeRestartStrategy(
    const proto::RestartSettings& settings, bool checkpointing, RandomSource& random);

}  // namespace wiesel::runtime
