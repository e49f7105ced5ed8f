#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/metadata/sidecar.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/filesystem/file_system.h"
#include "common/ids.h"

namespace wiesel::checkpoint {

/// Checkpoints of one job below a directory (execution.checkpointing.dir):
///
///     <directory>/<job id>/chk-<n>/_metadata, _wiesel.json, state files
///     <directory>/<job id>/shared, taskowned
///
/// A checkpoint is complete when it has its _metadata, which gets there last, by a rename, and goes
/// first when the checkpoint is deleted.
///
/// Borrows: `files`, which must outlive this object.
/// Flink:   FsCheckpointStorageAccess and FsCheckpointMetadataOutputStream (1.20).
class FileCheckpointStorage final : public CheckpointStorage {
 public:
  FileCheckpointStorage(FileSystem& files, const std::string& directory, const JobId& job);

  /// "<directory>/<job id>", a plain path: what the tasks get as their checkpoint directory.
  const std::string& jobDirectory() const { return job_directory_; }

  absl::Status initialize() override;
  absl::Status begin(int64_t checkpoint_id) override;
  absl::StatusOr<StoredCheckpoint> complete(
      const CheckpointMetadata& metadata, const std::map<OperatorId, OperatorName>& names) override;
  absl::Status discard(int64_t checkpoint_id) override;
  absl::StatusOr<StoredCheckpoint> load(const std::string& path) override;

 private:
  absl::StatusOr<std::vector<CheckedFile>> checkFiles(const std::string& directory,
                                                      const CheckpointMetadata& metadata) const;

  FileSystem& files_;  // Not owned.
  const JobId job_;
  const std::string job_directory_;
};

}  // namespace wiesel::checkpoint
