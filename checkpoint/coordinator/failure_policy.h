#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace wiesel::checkpoint {

/// Why a checkpoint did not complete. Flink: CheckpointFailureReason (1.20).
enum class FailureReason {
  kCheckpointExpired,
  kCheckpointSubsumed,
  kCheckpointDeclined,
  kCheckpointDeclinedTaskNotReady,
  kCheckpointDeclinedTaskClosing,
  kCheckpointDeclinedTaskNotCheckpointing,
  kCheckpointDeclinedSubsumed,
  kCheckpointDeclinedOnCancellationBarrier,
  kCheckpointDeclinedInputEndOfStream,
  kCheckpointAsyncException,
  kCheckpointCoordinatorShutdown,
  kCheckpointCoordinatorSuspend,
  kTaskFailure,
  kIoException,
  kTriggerCheckpointFailure,
  kFinalizeCheckpointFailure,
};

/// Flink's name, such as "CHECKPOINT_EXPIRED".
std::string_view failureReasonName(FailureReason reason);
std::optional<FailureReason> failureReasonFromName(std::string_view name);

/// A decline as a task words it.
struct Decline {
  FailureReason reason = FailureReason::kCheckpointDeclined;
  std::string message;  // Without the reason's name.
};

/// Splits "NAME: words" or "NAME"; other texts are words of kCheckpointDeclined.
Decline parseDecline(std::string_view text);

/// Counts failed checkpoints in a row, and says when they are too many.
///
/// Only these count: expired, declined without a reason of Flink's list, failed in the asynchronous
/// part, file trouble of the JobManager, and a failure to complete it. What comes from cancelling,
/// finishing, subsuming or starting tasks does not.
///
/// Threads: not thread-safe; belongs to the coordinator.
/// Flink:   CheckpointFailureManager (1.20).
class FailurePolicy {
 public:
  static constexpr int kUnlimited = std::numeric_limits<int>::max();

  /// Requires tolerable_failures >= 0.
  explicit FailurePolicy(int tolerable_failures);

  static bool counts(FailureReason reason);

  /// Returns true when the job has to fail now; the count starts again then. Each checkpoint counts
  /// once, and not when a later one has succeeded.
  bool onFailure(int64_t checkpoint_id, FailureReason reason);

  void onSuccess(int64_t checkpoint_id);

  /// The last one that counted included, also when it was one too many.
  int consecutiveFailures() const { return consecutive_; }

 private:
  void restart();

  const int tolerable_;
  int consecutive_ = 0;
  int64_t last_success_ = 0;
  std::set<int64_t> counted_;  // At most tolerable_ + 1 of them; none when that is unlimited.
};

}  // namespace wiesel::checkpoint
