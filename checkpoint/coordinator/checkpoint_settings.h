#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wiesel::checkpoint {

/// What is left of the completed checkpoints when the job has ended. All are deleted when the job
/// has FINISHED. Flink: ExternalizedCheckpointRetention (1.20).
enum class Retention {
  kNoExternalized,        // Deleted after a cancellation and after a failure too.
  kDeleteOnCancellation,  // Kept when the job has FAILED.
  kRetainOnCancellation,  // Kept when the job was CANCELED or has FAILED.
};

/// Takes the names of execution.checkpointing.externalized-checkpoint-retention, such as
/// "RETAIN_ON_CANCELLATION".
std::optional<Retention> retentionFromName(std::string_view name);

/// How a job ended.
enum class JobEnd { kFinished, kCanceled, kFailed };

/// True when completed checkpoints stay. Flink: CheckpointProperties (1.20).
bool keepsCheckpoints(Retention retention, JobEnd end);

/// When to take checkpoints. Flink: CheckpointCoordinatorConfiguration (1.20).
struct CheckpointSettings {
  int64_t interval_ms = 0;  // 0: none are taken.
  int64_t timeout_ms = 600'000;
  int64_t min_pause_ms = 0;
  int max_concurrent = 1;
  int tolerable_failures = 0;  // Consecutive ones.
  Retention retention = Retention::kNoExternalized;
  int num_retained = 1;
};

}  // namespace wiesel::checkpoint
