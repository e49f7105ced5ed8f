#pragma once

#include <cstdint>

namespace wiesel::checkpoint {

/// Numbers of the _metadata file; docs/formats/checkpoint_metadata.md is its grammar.
/// Flink: MetadataSerializers, MetadataV3Serializer and MetadataV4Serializer (1.20).

inline constexpr char kMetadataFileName[] = "_metadata";
inline constexpr char kSidecarFileName[] = "_wiesel.json";

inline constexpr int32_t kMetadataMagic = 0x4960672D;
inline constexpr int32_t kVersionWithoutProperties = 3;  // Written, and read.
inline constexpr int32_t kVersionWithProperties = 4;     // Read.
inline constexpr uint32_t kMasterStateMagic = 0xC96B1696;
inline constexpr int32_t kFullyFinished = -1;  // In place of the number of subtasks.

/// Begins the names of streams and files that Wiesel wrote. A checkpoint that has one of them and
/// no _wiesel.json has lost it.
inline constexpr char kOwnNamePrefix[] = "wiesel-";

}  // namespace wiesel::checkpoint
