#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "checkpoint/metadata/checkpoint_metadata.h"

namespace wiesel::checkpoint {

/// Reads the bytes of a _metadata file, version 3 or 4. Handles get no checksum.
///
/// Errors:  DataLoss when the bytes are not all of a _metadata file, with the position;
/// Unimplemented
///          for other versions and for kinds of handles that are not read. Memory stays in
///          proportion to the bytes.
/// Promise: indexes are below the parallelism, key groups below the max parallelism, and a handle
///          has one offset per key group.
/// Flink:   Checkpoints.loadCheckpointMetadata (1.20).
absl::StatusOr<CheckpointMetadata> decodeMetadata(std::string_view bytes);

}  // namespace wiesel::checkpoint
