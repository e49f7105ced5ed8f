#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::state {

/// What a fetched file is for.
enum class FileUse {
  kReadOnly,   // Never changed, at most deleted: may share its bytes with the checkpoint.
  kMayChange,  // A copy of its own.
};

/// Where one task's share of one checkpoint is written to, or read from at a restore.
///
/// Threads: thread-safe; the calls do I/O and belong on a worker thread.
/// Errors:  ResourceExhausted when the disk is full, DataLoss when bytes read differ from the
///          handle's size or checksum (the message names the file and both values), else what the
///          file system says; all name the path.
/// Promise: what a write returned a handle for is durable and is not changed afterwards.
/// Flink:   CheckpointStreamFactory (1.20).
class SnapshotStore {
 public:
  virtual ~SnapshotStore() = default;

  /// Keeps `bytes`: small ones in the handle, others in a new file with a random name.
  virtual absl::StatusOr<StreamHandle> writeStream(std::string bytes) = 0;

  /// Keeps the local file at `local_path`, which must not change any more (linked where possible).
  virtual absl::StatusOr<StreamHandle> storeFile(const std::string& local_path) = 0;

  /// The whole stream. A handle of kind kNone gives "".
  virtual absl::StatusOr<std::string> read(const StreamHandle& handle) = 0;

  /// Makes `local_path`, which must not exist, out of the stream.
  virtual absl::Status fetchFile(const StreamHandle& handle, const std::string& local_path,
                                 FileUse use) = 0;
};

}  // namespace wiesel::state
