#include "checkpoint/coordinator/task_snapshot.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "state/key_group.h"

namespace wiesel::checkpoint {
namespace {

absl::Status checkState(const state::SubtaskState& state, const state::KeyGroupRange& own) {
  if (state.operator_state.size() > 1 || state.keyed_state.size() > 1) {
    return absl::InvalidArgumentError("several handles of a kind");
  }
  for (const state::KeyedStateHandle& handle : state.keyed_state) {
    const state::KeyGroupRange& range = state::keyGroupsOf(handle);
    if (range == own.intersect(range)) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("key groups %d to %d, where its own are %d to %d", range.start, range.end,
                        own.start, own.end));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkSnapshot(const TaskSnapshot& snapshot, const JobTopology::Vertex& vertex,
                           int subtask) {
  const state::KeyGroupRange own =
      state::keyGroupRangeFor(subtask, vertex.parallelism, vertex.max_parallelism);
  std::set<OperatorId> seen;
  for (const TaskSnapshot::Operator& one : snapshot.operators) {
    const bool is_known =
        std::any_of(vertex.operators.begin(), vertex.operators.end(),
                    [&one](const JobTopology::Operator& known) { return known.id == one.id; });
    const std::string name = "the state of operator " + one.id.toHex();
    if (!is_known) return absl::InvalidArgumentError(name + ", which the task does not have");
    if (!seen.insert(one.id).second) return absl::InvalidArgumentError(name + " twice");
    WIESEL_RETURN_IF_ERROR(annotate(checkState(one.state, own), name));
  }
  return absl::OkStatus();
}

}  // namespace wiesel::checkpoint
