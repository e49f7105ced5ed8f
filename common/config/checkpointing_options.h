#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

/// Whether a restored job counts each record once, or may count some twice but need not align
/// barriers. Flink: CheckpointingMode (1.20).
enum class CheckpointingMode { EXACTLY_ONCE, AT_LEAST_ONCE };

template <>
struct EnumNames<CheckpointingMode> {
  static constexpr std::pair<std::string_view, CheckpointingMode> kNames[] = {
      {"EXACTLY_ONCE", CheckpointingMode::EXACTLY_ONCE},
      {"AT_LEAST_ONCE", CheckpointingMode::AT_LEAST_ONCE}};
};

/// What is left of completed checkpoints when the job is cancelled or fails.
enum class CheckpointRetention {
  kNone,                  // Nothing is left.
  kRetainOnCancellation,  // Kept after a cancel and after a failure.
  kDeleteOnCancellation,  // Kept after a failure only.
};

template <>
struct EnumNames<CheckpointRetention> {
  static constexpr std::pair<std::string_view, CheckpointRetention> kNames[] = {
      {"NO_EXTERNALIZED_CHECKPOINTS", CheckpointRetention::kNone},
      {"RETAIN_ON_CANCELLATION", CheckpointRetention::kRetainOnCancellation},
      {"DELETE_ON_CANCELLATION", CheckpointRetention::kDeleteOnCancellation}};
};

enum class CheckpointStorageType { kJobManager, kFilesystem };

template <>
struct EnumNames<CheckpointStorageType> {
  static constexpr std::pair<std::string_view, CheckpointStorageType> kNames[] = {
      {"jobmanager", CheckpointStorageType::kJobManager},
      {"filesystem", CheckpointStorageType::kFilesystem}};
};

/// Who owns the files of the savepoint or checkpoint that a job starts from.
enum class ClaimMode { kNoClaim, kClaim, kLegacy };

template <>
struct EnumNames<ClaimMode> {
  static constexpr std::pair<std::string_view, ClaimMode> kNames[] = {
      {"NO_CLAIM", ClaimMode::kNoClaim},
      {"CLAIM", ClaimMode::kClaim},
      {"LEGACY", ClaimMode::kLegacy}};
};

/// Time between the starts of two checkpoints; unset: no periodic checkpoints.
inline constexpr OptionalConfigOption<std::chrono::milliseconds> kCheckpointingInterval{
    "execution.checkpointing.interval"};

inline constexpr ConfigOption<CheckpointingMode> kCheckpointingMode{
    "execution.checkpointing.mode", CheckpointingMode::EXACTLY_ONCE};

/// A checkpoint that is not complete by then is aborted.
inline constexpr ConfigOption<std::chrono::milliseconds> kCheckpointingTimeout{
    "execution.checkpointing.timeout", std::chrono::minutes(10)};

/// Least time from the end of one checkpoint to the start of the next.
inline constexpr ConfigOption<std::chrono::milliseconds> kCheckpointingMinPause{
    "execution.checkpointing.min-pause", std::chrono::milliseconds(0)};

inline constexpr ConfigOption<int32_t> kMaxConcurrentCheckpoints{
    "execution.checkpointing.max-concurrent-checkpoints", 1};

/// Consecutive failed checkpoints that the job bears; one more fails it.
inline constexpr ConfigOption<int32_t> kTolerableFailedCheckpoints{
    "execution.checkpointing.tolerable-failed-checkpoints", 0};

inline constexpr ConfigOption<CheckpointRetention> kCheckpointRetention{
    "execution.checkpointing.externalized-checkpoint-retention", CheckpointRetention::kNone};

/// Path or URI below which `<job id>/chk-<n>` is made.
inline constexpr OptionalConfigOption<std::string> kCheckpointDirectory{
    "execution.checkpointing.dir", {"state.checkpoints.dir", "state.backend.fs.checkpointdir"}};

/// Where savepoints go when the request names no target.
inline constexpr OptionalConfigOption<std::string> kSavepointDirectory{
    "execution.checkpointing.savepoint-dir", {"state.savepoints.dir"}};

/// Number of completed checkpoints that are kept.
inline constexpr ConfigOption<int32_t> kRetainedCheckpoints{
    "execution.checkpointing.num-retained", 1, {"state.checkpoints.num-retained"}};

/// Unset: filesystem when kCheckpointDirectory is set, else jobmanager.
inline constexpr OptionalConfigOption<CheckpointStorageType> kCheckpointStorage{
    "execution.checkpointing.storage", {"state.checkpoint-storage"}};

/// RocksDB: upload only new SST files.
inline constexpr ConfigOption<bool> kIncrementalCheckpoints{
    "execution.checkpointing.incremental", false, {"state.backend.incremental"}};

/// Whether kCheckpointDirectory gets a folder per job id.
inline constexpr ConfigOption<bool> kCheckpointCreateSubdirectory{
    "execution.checkpointing.create-subdir", true, {"state.checkpoints.create-subdir"}};

/// Smaller state goes into the metadata file.
inline constexpr ConfigOption<MemorySize> kCheckpointInlineThreshold{
    "execution.checkpointing.data-inline-threshold",
    MemorySize::ofKibibytes(20),
    {"state.storage.fs.memory-threshold"}};

inline constexpr ConfigOption<bool> kSnapshotCompression{
    "execution.checkpointing.snapshot-compression", false};

inline constexpr ConfigOption<bool> kCheckpointsAfterTasksFinish{
    "execution.checkpointing.checkpoints-after-tasks-finish",
    true,
    {"execution.checkpointing.checkpoints-after-tasks-finish.enabled"}};

inline constexpr ConfigOption<bool> kUnalignedCheckpoints{
    "execution.checkpointing.unaligned.enabled", false, {"execution.checkpointing.unaligned"}};

inline constexpr ConfigOption<std::chrono::milliseconds> kAlignedCheckpointTimeout{
    "execution.checkpointing.aligned-checkpoint-timeout",
    std::chrono::milliseconds(0),
    {"execution.checkpointing.alignment-timeout"}};

/// The savepoint or checkpoint that a job starts from; `run -s` sets it.
inline constexpr OptionalConfigOption<std::string> kStateRecoveryPath{
    "execution.state-recovery.path", {"execution.savepoint.path"}};

/// Start although the savepoint holds state of operators that the job has not; `run -n` sets it.
inline constexpr ConfigOption<bool> kIgnoreUnclaimedState{
    "execution.state-recovery.ignore-unclaimed-state",
    false,
    {"execution.savepoint.ignore-unclaimed-state"}};

inline constexpr ConfigOption<ClaimMode> kClaimMode{"execution.state-recovery.claim-mode",
                                                    ClaimMode::kNoClaim,
                                                    {"execution.savepoint-restore-mode"}};

}  // namespace wiesel
