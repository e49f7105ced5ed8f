#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/metadata/checkpoint_metadata.h"
#include "checkpoint/metadata/sidecar.h"
#include "common/ids.h"

namespace wiesel::checkpoint {

/// A completed checkpoint, where it is and what is in it.
struct StoredCheckpoint {
  CheckpointMetadata metadata;
  std::map<OperatorId, OperatorName> names;
  std::string path;        // As a URI, for people and for `-s`; empty in memory.
  std::string directory;   // Where relative handles are; empty in memory.
  int64_t size_bytes = 0;  // All files and inline bytes.
};

/// Keeps the checkpoints of one job, as the coordinator sees them.
///
/// Threads: thread-safe; the calls do I/O and run on the coordinator's executor.
/// Flink:   CheckpointStorageCoordinatorView (1.20).
class CheckpointStorage {
 public:
  virtual ~CheckpointStorage() = default;

  /// Makes ready, once, before the job starts. Errors name the setting to look at.
  virtual absl::Status initialize() = 0;

  /// Makes room for the tasks' files of a checkpoint.
  virtual absl::Status begin(int64_t checkpoint_id) = 0;

  /// Makes the checkpoint complete: all of it is durable when this returns OK, nothing counts when
  /// it does not.
  virtual absl::StatusOr<StoredCheckpoint> complete(
      const CheckpointMetadata& metadata, const std::map<OperatorId, OperatorName>& names) = 0;

  /// Removes the checkpoint, complete or not. Idempotent.
  virtual absl::Status discard(int64_t checkpoint_id) = 0;

  /// Reads and verifies a checkpoint or savepoint of this or another job.
  virtual absl::StatusOr<StoredCheckpoint> load(const std::string& path) = 0;
};

}  // namespace wiesel::checkpoint
