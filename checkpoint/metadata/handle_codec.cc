#include "checkpoint/metadata/handle_codec.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "checkpoint/metadata/handle_io.h"
#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"

namespace wiesel::checkpoint {
namespace {

constexpr uint8_t kVersion = 1;

/// Visits every stream of a state, always in the same order.
template <typename State, typename Visit>
void forEachStreamOf(State& state, const Visit& visit) {
  for (auto& handle : state.operator_state) visit(handle.stream);
  for (auto& handle : state.keyed_state) {
    if (auto* key_groups = std::get_if<state::KeyGroupsHandle>(&handle)) {
      visit(key_groups->stream);
      continue;
    }
    auto& incremental = std::get<state::IncrementalHandle>(handle);
    visit(incremental.metadata);
    for (auto& file : incremental.shared_files) visit(file.stream);
    for (auto& file : incremental.private_files) visit(file.stream);
  }
}

}  // namespace

std::string encodeSubtaskState(const state::SubtaskState& state) {
  DataOutput output;
  output.writeByte(kVersion);
  output.writeInt(static_cast<int32_t>(state.operator_state.size()));
  for (const auto& handle : state.operator_state) writeOperatorHandle(handle, output);
  output.writeInt(static_cast<int32_t>(state.keyed_state.size()));
  for (const auto& handle : state.keyed_state) writeKeyedHandle(handle, output);
  forEachStreamOf(state, [&](const state::StreamHandle& stream) {
    output.writeLong(static_cast<int64_t>(stream.checksum));
  });
  return output.take();
}

absl::StatusOr<state::SubtaskState> decodeSubtaskState(std::string_view bytes) {
  DataInput input(bytes);
  const uint8_t version = input.readByte();
  if (input.ok() && version != kVersion) input.fail("a version that is not known");
  state::SubtaskState state;
  const int32_t num_operator_states = input.readCount();
  for (int32_t i = 0; i < num_operator_states && input.ok(); ++i) {
    auto handle = readOperatorHandle(input);
    if (!handle) input.fail("an operator state handle is missing");
    if (handle) state.operator_state.push_back(std::move(*handle));
  }
  const int32_t num_keyed_states = input.readCount();
  for (int32_t i = 0; i < num_keyed_states && input.ok(); ++i) {
    auto handle = readKeyedHandle(input);
    if (!handle) input.fail("a keyed state handle is missing");
    if (handle) state.keyed_state.push_back(std::move(*handle));
  }
  forEachStreamOf(state, [&](state::StreamHandle& stream) {
    stream.checksum = static_cast<uint64_t>(input.readLong());
  });
  if (input.ok() && !input.atEnd()) input.fail("bytes follow after the end");
  if (input.ok()) return state;
  return absl::InvalidArgumentError(absl::StrFormat("no subtask state: %s", input.error()));
}

}  // namespace wiesel::checkpoint
