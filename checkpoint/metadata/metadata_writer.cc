#include "checkpoint/metadata/metadata_writer.h"

#include <optional>
#include <utility>
#include <vector>

#include "checkpoint/metadata/format.h"
#include "checkpoint/metadata/handle_io.h"
#include "common/serialization/data_output.h"

namespace wiesel::checkpoint {
namespace {

void writeOptional(const std::optional<state::OperatorStateHandle>& handle, DataOutput& output) {
  output.writeInt(handle ? 1 : 0);
  if (handle) writeOperatorHandle(*handle, output);
}

void writeChannels(const std::vector<ChannelHandle>& channels, DataOutput& output) {
  output.writeInt(static_cast<int32_t>(channels.size()));
  for (const ChannelHandle& channel : channels) writeChannelHandle(channel, output);
}

void writeMasterState(const MasterState& state, DataOutput& output) {
  DataOutput content;
  content.writeInt(state.version);
  content.writeUtf(state.name);
  content.writeSizedBytes(state.bytes);
  output.writeInt(static_cast<int32_t>(kMasterStateMagic));
  output.writeSizedBytes(content.view());
}

void writeSubtask(int32_t index, const SubtaskSnapshot& subtask, DataOutput& output) {
  if (subtask.finished) {
    output.writeInt(-(index + 1));
    return;
  }
  output.writeInt(index);
  writeOptional(subtask.operator_state, output);
  writeOptional(subtask.raw_operator_state, output);
  writeKeyedHandle(subtask.keyed_state, output);
  writeKeyedHandle(subtask.raw_keyed_state, output);
  writeChannels(subtask.input_channels, output);
  writeChannels(subtask.result_subpartitions, output);
}

void writeOperator(const OperatorSnapshot& one, DataOutput& output) {
  output.writeRaw(one.id.toBytes());
  output.writeInt(one.parallelism);
  output.writeInt(one.max_parallelism);
  writeStreamHandle(one.coordinator_state, output);
  if (one.fully_finished) {
    output.writeInt(kFullyFinished);
    return;
  }
  output.writeInt(static_cast<int32_t>(one.subtasks.size()));
  for (const auto& [index, subtask] : one.subtasks) writeSubtask(index, subtask, output);
}

}  // namespace

std::string encodeMetadata(const CheckpointMetadata& metadata) {
  DataOutput output;
  output.writeInt(kMetadataMagic);
  output.writeInt(kVersionWithoutProperties);
  output.writeLong(metadata.checkpoint_id);
  output.writeInt(static_cast<int32_t>(metadata.master_states.size()));
  for (const MasterState& state : metadata.master_states) writeMasterState(state, output);
  output.writeInt(static_cast<int32_t>(metadata.operators.size()));
  for (const OperatorSnapshot& one : metadata.operators) writeOperator(one, output);
  return output.take();
}

}  // namespace wiesel::checkpoint
