#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/filesystem/file_system.h"

namespace wiesel::checkpoint {

/// For jobs without execution.checkpointing.dir: completed checkpoints are what the coordinator
/// holds in memory, with inline handles only, and end with the job.
///
/// Borrows: `files`, to load a checkpoint that the job starts from.
/// Flink:   JobManagerCheckpointStorage (1.20).
class MemoryCheckpointStorage final : public CheckpointStorage {
 public:
  explicit MemoryCheckpointStorage(const FileSystem& files) : files_(files) {}

  absl::Status initialize() override { return absl::OkStatus(); }
  absl::Status begin(int64_t /*checkpoint_id*/) override { return absl::OkStatus(); }
  absl::StatusOr<StoredCheckpoint> complete(
      const CheckpointMetadata& metadata, const std::map<OperatorId, OperatorName>& names) override;
  absl::Status discard(int64_t /*checkpoint_id*/) override { return absl::OkStatus(); }
  absl::StatusOr<StoredCheckpoint> load(const std::string& path) override;

 private:
  const FileSystem& files_;  // Not owned.
};

}  // namespace wiesel::checkpoint
