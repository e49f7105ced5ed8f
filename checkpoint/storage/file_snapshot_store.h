#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/random.h"
#include "state/snapshot/snapshot_store.h"

namespace wiesel::checkpoint {

/// Streams in the directory of one checkpoint (chk-N), which must exist: those of at most
/// `inline_threshold_bytes` (execution.checkpointing.data-inline-threshold) stay in the handle, the
/// others get a file of their own with a random name, referred to by that name alone.
///
/// Borrows: `files` and `random`, both thread-safe when this object is used from several threads.
/// Flink:   FsCheckpointStreamFactory (1.20).
class FileSnapshotStore final : public state::SnapshotStore {
 public:
  FileSnapshotStore(FileSystem& files, RandomSource& random, std::string directory,
                    int64_t inline_threshold_bytes);

  absl::StatusOr<state::StreamHandle> writeStream(std::string bytes) override;
  absl::StatusOr<state::StreamHandle> storeFile(const std::string& local_path) override;
  absl::StatusOr<std::string> read(const state::StreamHandle& handle) override;
  absl::Status fetchFile(const state::StreamHandle& handle, const std::string& local_path,
                         state::FileUse use) override;

 private:
  std::string newName();
  std::string pathOf(const state::StreamHandle& handle) const;

  FileSystem& files_;     // Not owned.
  RandomSource& random_;  // Not owned.
  const std::string directory_;
  const int64_t inline_threshold_bytes_;
};

/// The directory of one checkpoint below that of the job, "<job>/chk-<id>".
std::string checkpointDirectory(const std::string& job_directory, int64_t checkpoint_id);

}  // namespace wiesel::checkpoint
