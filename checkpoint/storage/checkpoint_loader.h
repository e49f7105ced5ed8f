#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/filesystem/file_system.h"

namespace wiesel::checkpoint {

/// Finds, reads and verifies a checkpoint or savepoint: `path` is its directory or its _metadata
/// file, as a path or a file URI. When it has a _wiesel.json, the size and checksum of every file
/// are compared before this returns, and the handles get their checksums. A checkpoint of Flink has
/// none: there is nothing to compare then but the sizes that _metadata tells.
///
/// Errors: NotFound for a wrong path (a parent of checkpoints is recognised); DataLoss, with file
/// and
///         both values, for a torn, damaged or missing file; Unimplemented for other file systems.
/// Flink:  AbstractFsCheckpointStorageAccess.resolveCheckpointPointer and
///         Checkpoints.loadAndValidateCheckpoint (1.20).
absl::StatusOr<StoredCheckpoint> loadCheckpoint(const FileSystem& files, const std::string& path);

}  // namespace wiesel::checkpoint
