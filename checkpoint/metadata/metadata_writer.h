#pragma once

#include <string>

#include "checkpoint/metadata/checkpoint_metadata.h"

namespace wiesel::checkpoint {

/// The bytes of a _metadata file, version 3; the properties of version 4 are left out.
/// Flink: MetadataV3Serializer (1.20).
std::string encodeMetadata(const CheckpointMetadata& metadata);

}  // namespace wiesel::checkpoint
