#include "checkpoint/storage/memory_checkpoint_storage.h"

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/metadata_writer.h"
#include "checkpoint/storage/checkpoint_loader.h"

namespace wiesel::checkpoint {

absl::StatusOr<StoredCheckpoint> MemoryCheckpointStorage::complete(
    const CheckpointMetadata& metadata, const std::map<OperatorId, OperatorName>& names) {
  absl::Status status;
  forEachStream(metadata, [&](const state::StreamHandle& handle) {
    if (handle.kind == state::StreamHandle::Kind::kInline) return;
    status.Update(absl::InternalError(absl::StrFormat(
        "a checkpoint in the JobManager's memory refers to the file '%s'", handle.name)));
  });
  if (!status.ok()) return status;
  StoredCheckpoint checkpoint;
  checkpoint.metadata = metadata;
  checkpoint.names = names;
  checkpoint.size_bytes = static_cast<int64_t>(encodeMetadata(metadata).size());
  return checkpoint;
}

absl::StatusOr<StoredCheckpoint> MemoryCheckpointStorage::load(const std::string& path) {
  return loadCheckpoint(files_, path);
}

}  // namespace wiesel::checkpoint
