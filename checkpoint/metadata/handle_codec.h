#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// A subtask's state as the bytes that our RPC carries (OperatorSnapshot.subtask_state and
/// OperatorRestore.subtask_state of control.proto): the handles as in _metadata, any number of each
/// kind, and after them the checksums. Ours; both ends are of one version.
std::string encodeSubtaskState(const state::SubtaskState& state);

/// InvalidArgument when the bytes are not what encodeSubtaskState() gives.
absl::StatusOr<state::SubtaskState> decodeSubtaskState(std::string_view bytes);

}  // namespace wiesel::checkpoint
