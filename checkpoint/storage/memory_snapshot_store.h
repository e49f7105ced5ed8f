#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/storage/file_snapshot_store.h"
#include "common/filesystem/file_system.h"
#include "common/random.h"
#include "state/snapshot/snapshot_store.h"

namespace wiesel::checkpoint {

/// Keeps every stream in its handle, for jobs without a checkpoint directory: the checkpoint then
/// lives in the JobManager's memory. Reads what FileSnapshotStore reads, of `restore_directory`,
/// since such a job too may start from a checkpoint on disk.
///
/// Errors: ResourceExhausted for a stream of more than kMaxStreamBytes.
/// Flink:  MemCheckpointStreamFactory of JobManagerCheckpointStorage (1.20).
class MemorySnapshotStore final : public state::SnapshotStore {
 public:
  static constexpr int64_t kMaxStreamBytes = 5 << 20;  // Flink's.

  /// Borrows both.
  MemorySnapshotStore(FileSystem& files, RandomSource& random, std::string restore_directory);

  absl::StatusOr<state::StreamHandle> writeStream(std::string bytes) override;
  absl::StatusOr<state::StreamHandle> storeFile(const std::string& local_path) override;
  absl::StatusOr<std::string> read(const state::StreamHandle& handle) override;
  absl::Status fetchFile(const state::StreamHandle& handle, const std::string& local_path,
                         state::FileUse use) override;

 private:
  FileSystem& files_;  // Not owned.
  FileSnapshotStore inner_;
};

}  // namespace wiesel::checkpoint
