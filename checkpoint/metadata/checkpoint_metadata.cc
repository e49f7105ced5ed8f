#include "checkpoint/metadata/checkpoint_metadata.h"

namespace wiesel::checkpoint {

bool OperatorSnapshot::hasState() const {
  if (!coordinator_state.isNone()) return true;
  for (const auto& [index, subtask] : subtasks) {
    if (subtask.hasState()) return true;
  }
  return false;
}

int64_t sizeOfFiles(const CheckpointMetadata& metadata) {
  int64_t size = 0;
  forEachStream(metadata, [&](const state::StreamHandle& handle) {
    if (handle.kind != state::StreamHandle::Kind::kInline) size += handle.size;
  });
  return size;
}

}  // namespace wiesel::checkpoint
