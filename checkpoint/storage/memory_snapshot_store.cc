#include "checkpoint/storage/memory_snapshot_store.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace wiesel::checkpoint {
namespace {

absl::Status checkSize(int64_t size_bytes) {
  if (size_bytes <= MemorySnapshotStore::kMaxStreamBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrFormat(
      "a state of size_bytes=%d is too large for checkpoints in the JobManager's memory "
      "(max_bytes=%d): set execution.checkpointing.dir",
      size_bytes, MemorySnapshotStore::kMaxStreamBytes));
}

}  // namespace

MemorySnapshotStore::MemorySnapshotStore(FileSystem& files, RandomSource& random,
                                         std::string restore_directory)
    : files_(files), inner_(files, random, std::move(restore_directory), kMaxStreamBytes) {}

absl::StatusOr<state::StreamHandle> MemorySnapshotStore::writeStream(std::string bytes) {
  WIESEL_RETURN_IF_ERROR(checkSize(static_cast<int64_t>(bytes.size())));
  return inner_.writeStream(std::move(bytes));
}

absl::StatusOr<state::StreamHandle> MemorySnapshotStore::storeFile(const std::string& local_path) {
  WIESEL_ASSIGN_OR_RETURN(const uint64_t size, files_.fileSize(local_path));
  WIESEL_RETURN_IF_ERROR(checkSize(static_cast<int64_t>(size)));
  return inner_.storeFile(local_path);
}

absl::StatusOr<std::string> MemorySnapshotStore::read(const state::StreamHandle& handle) {
  return inner_.read(handle);
}

absl::Status MemorySnapshotStore::fetchFile(const state::StreamHandle& handle,
                                            const std::string& local_path, state::FileUse use) {
  return inner_.fetchFile(handle, local_path, use);
}

}  // namespace wiesel::checkpoint
