#include "checkpoint/metadata/metadata_reader.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "checkpoint/metadata/format.h"
#include "checkpoint/metadata/handle_io.h"
#include "checkpoint/metadata/java_object.h"
#include "common/serialization/data_input.h"
#include "common/status_macros.h"
#include "state/key_group.h"

namespace wiesel::checkpoint {
namespace {

constexpr size_t kMinChannelBytes = 25;
constexpr size_t kMinOperatorBytes = 29;
constexpr int64_t kMaxCheckpointId = std::numeric_limits<int64_t>::max() / 2;

MasterState readMasterState(DataInput& input) {
  MasterState state;
  if (static_cast<uint32_t>(input.readInt()) != kMasterStateMagic) input.fail("no master state");
  DataInput content(input.readSizedBytes());
  state.version = content.readInt();
  state.name = content.readUtf();
  state.bytes = content.readSizedBytes();
  if (!content.ok() || !content.atEnd()) input.fail("a master state of wrong length");
  return state;
}

std::optional<state::OperatorStateHandle> readOptional(DataInput& input) {
  switch (input.readInt()) {
    case 0:
      return std::nullopt;
    case 1:
      return readOperatorHandle(input);
    default:
      input.fail("a flag that is neither 0 nor 1");
      return std::nullopt;
  }
}

std::vector<ChannelHandle> readChannels(DataInput& input) {
  std::vector<ChannelHandle> channels;
  const int32_t count = input.readCount(kMinChannelBytes);
  for (int32_t i = 0; i < count && input.ok(); ++i) channels.push_back(readChannelHandle(input));
  return channels;
}

void checkKeyGroups(const std::optional<state::KeyedStateHandle>& handle, int max_parallelism,
                    DataInput& input) {
  if (handle && state::keyGroupsOf(*handle).end >= max_parallelism) {
    input.fail("key groups beyond the max parallelism");
  }
}

void readSubtask(OperatorSnapshot& one, DataInput& input) {
  const int32_t code = input.readInt();
  SubtaskSnapshot subtask;
  subtask.finished = code < 0;
  const int32_t index = subtask.finished ? -(code + 1) : code;
  if (input.ok() && index >= one.parallelism) input.fail("a subtask beyond the parallelism");
  if (!subtask.finished) {
    subtask.operator_state = readOptional(input);
    subtask.raw_operator_state = readOptional(input);
    subtask.keyed_state = readKeyedHandle(input);
    subtask.raw_keyed_state = readKeyedHandle(input);
    subtask.input_channels = readChannels(input);
    subtask.result_subpartitions = readChannels(input);
    checkKeyGroups(subtask.keyed_state, one.max_parallelism, input);
    checkKeyGroups(subtask.raw_keyed_state, one.max_parallelism, input);
  }
  if (!one.subtasks.emplace(index, std::move(subtask)).second) input.fail("a subtask twice");
}

OperatorSnapshot readOperator(DataInput& input) {
  OperatorSnapshot one;
  one.id = OperatorId::fromBytes(input.readRaw(OperatorId::kSize)).value_or(OperatorId{});
  one.parallelism = input.readInt();
  one.max_parallelism = input.readInt();
  const bool valid = 1 <= one.parallelism && one.parallelism <= kMaxMaxParallelism &&
                     1 <= one.max_parallelism && one.max_parallelism <= kMaxMaxParallelism;
  if (input.ok() && !valid) input.fail("a parallelism out of bounds");
  one.coordinator_state = readStreamHandle(input);
  const int32_t count = input.readInt();
  one.fully_finished = input.ok() && count == kFullyFinished;
  if (one.fully_finished) return one;
  if (count < 0 || count > one.parallelism) input.fail("a wrong number of subtasks");
  for (int32_t i = 0; i < count && input.ok(); ++i) readSubtask(one, input);
  return one;
}

absl::Status failureOf(const DataInput& input) {
  return absl::DataLossError(
      absl::StrFormat("it is torn, damaged or of a kind that is not supported: %s", input.error()));
}

}  // namespace

absl::StatusOr<CheckpointMetadata> decodeMetadata(std::string_view bytes) {
  DataInput input(bytes);
  if (input.readInt() != kMetadataMagic) {
    return absl::DataLossError("it is no checkpoint metadata, or torn or damaged at its start");
  }
  const int32_t version = input.readInt();
  if (!input.ok()) return failureOf(input);
  if (version != kVersionWithoutProperties && version != kVersionWithProperties) {
    return absl::UnimplementedError(
        absl::StrFormat("its version %d is not supported: this version reads 3 and 4", version));
  }
  CheckpointMetadata metadata;
  metadata.checkpoint_id = input.readLong();
  // The job that starts from it counts on.
  if (metadata.checkpoint_id < 0 || metadata.checkpoint_id > kMaxCheckpointId) {
    input.fail("a checkpoint id out of bounds");
  }
  const int32_t num_master_states = input.readCount(8);
  for (int32_t i = 0; i < num_master_states && input.ok(); ++i) {
    metadata.master_states.push_back(readMasterState(input));
  }
  std::set<OperatorId> ids;
  const int32_t num_operators = input.readCount(kMinOperatorBytes);
  for (int32_t i = 0; i < num_operators && input.ok(); ++i) {
    metadata.operators.push_back(readOperator(input));
    if (!ids.insert(metadata.operators.back().id).second) input.fail("an operator twice");
  }
  if (!input.ok()) return failureOf(input);
  if (version == kVersionWithProperties) {
    metadata.properties = input.readRaw(input.remaining());
    WIESEL_RETURN_IF_ERROR(annotate(checkJavaObject(metadata.properties), "its properties"));
  }
  if (!input.atEnd()) return absl::DataLossError("bytes follow after its end");
  return metadata;
}

}  // namespace wiesel::checkpoint
