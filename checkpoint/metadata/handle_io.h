#pragma once

#include <optional>

#include "checkpoint/metadata/checkpoint_metadata.h"
#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// State handles in the bytes of _metadata. A reader that meets something wrong fails the input and
/// returns what it has. Checksums are not part of the format.
///
/// Flink: MetadataV2V3SerializerBase (1.20). Not read: changelog handles and file-merging segments.

void writeStreamHandle(const state::StreamHandle& handle, DataOutput& output);
state::StreamHandle readStreamHandle(DataInput& input);

/// nullopt is written as type 0.
void writeKeyedHandle(const std::optional<state::KeyedStateHandle>& handle, DataOutput& output);
std::optional<state::KeyedStateHandle> readKeyedHandle(DataInput& input);

void writeOperatorHandle(const state::OperatorStateHandle& handle, DataOutput& output);
std::optional<state::OperatorStateHandle> readOperatorHandle(DataInput& input);

void writeChannelHandle(const ChannelHandle& handle, DataOutput& output);
ChannelHandle readChannelHandle(DataInput& input);

}  // namespace wiesel::checkpoint
