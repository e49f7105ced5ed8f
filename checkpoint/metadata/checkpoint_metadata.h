#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/ids.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// In-flight data of one channel in an unaligned checkpoint. Read and written, not used yet.
/// Flink: AbstractChannelStateHandle (1.20).
struct ChannelHandle {
  int32_t subtask = 0;
  std::array<int32_t, 2> channel{};  // Gate and channel, or partition and subpartition.
  std::vector<int64_t> offsets;
  int64_t size = 0;
  state::StreamHandle stream;

  bool operator==(const ChannelHandle&) const = default;
};

/// What one subtask of one operator has in a checkpoint. Flink: OperatorSubtaskState, and
/// FinishedOperatorSubtaskState when `finished` (1.20).
struct SubtaskSnapshot {
  bool finished = false;  // The subtask had ended; nothing else is set.
  std::optional<state::OperatorStateHandle> operator_state;
  std::optional<state::OperatorStateHandle> raw_operator_state;
  std::optional<state::KeyedStateHandle> keyed_state;
  std::optional<state::KeyedStateHandle> raw_keyed_state;
  std::vector<ChannelHandle> input_channels;
  std::vector<ChannelHandle> result_subpartitions;

  bool hasState() const {
    return operator_state || raw_operator_state || keyed_state || raw_keyed_state ||
           !input_channels.empty() || !result_subpartitions.empty();
  }
  bool operator==(const SubtaskSnapshot&) const = default;
};

/// What one operator has in a checkpoint. Flink: OperatorState, and FullyFinishedOperatorState when
/// `fully_finished` (1.20).
struct OperatorSnapshot {
  OperatorId id;
  int32_t parallelism = 1;
  int32_t max_parallelism = 128;
  state::StreamHandle coordinator_state;        // kNone or kInline.
  bool fully_finished = false;                  // All subtasks had ended; `subtasks` is empty.
  std::map<int32_t, SubtaskSnapshot> subtasks;  // By index; absent ones have no state.

  bool hasState() const;
  bool operator==(const OperatorSnapshot&) const = default;
};

/// Flink: MasterState (1.20).
struct MasterState {
  int32_t version = 0;
  std::string name;
  std::string bytes;

  bool operator==(const MasterState&) const = default;
};

/// The content of a _metadata file. Flink: CheckpointMetadata (1.20).
struct CheckpointMetadata {
  int64_t checkpoint_id = 0;
  std::vector<MasterState> master_states;
  std::vector<OperatorSnapshot> operators;
  std::string properties;  // Version 4 only: the serialized CheckpointProperties, unread.

  bool operator==(const CheckpointMetadata&) const = default;
};

/// Calls `visit(state::StreamHandle&)` (const when the metadata is) for every stream handle that is
/// not kNone.
template <typename Metadata, typename Visit>
void forEachStream(Metadata& metadata, const Visit& visit) {
  const auto stream = [&](auto& handle) {
    if (!handle.isNone()) visit(handle);
  };
  const auto operator_state = [&](auto& handle) {
    if (handle) stream(handle->stream);
  };
  const auto keyed_state = [&](auto& handle) {
    if (!handle) return;
    if (auto* key_groups = std::get_if<state::KeyGroupsHandle>(&*handle)) {
      stream(key_groups->stream);
      return;
    }
    auto& incremental = std::get<state::IncrementalHandle>(*handle);
    stream(incremental.metadata);
    for (auto& file : incremental.shared_files) stream(file.stream);
    for (auto& file : incremental.private_files) stream(file.stream);
  };
  for (auto& one : metadata.operators) {
    stream(one.coordinator_state);
    for (auto& [index, subtask] : one.subtasks) {
      operator_state(subtask.operator_state);
      operator_state(subtask.raw_operator_state);
      keyed_state(subtask.keyed_state);
      keyed_state(subtask.raw_keyed_state);
      for (auto& channel : subtask.input_channels) stream(channel.stream);
      for (auto& channel : subtask.result_subpartitions) stream(channel.stream);
    }
  }
}

/// The bytes of all files that the handles refer to.
int64_t sizeOfFiles(const CheckpointMetadata& metadata);

}  // namespace wiesel::checkpoint
