#include "checkpoint/restore/state_assignment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "checkpoint/restore/finished_vertices.h"
#include "checkpoint/restore/operator_state_repartitioner.h"
#include "common/status_macros.h"
#include "state/key_group.h"

namespace wiesel::checkpoint {
namespace {

using state::IncrementalHandle;
using state::KeyedStateHandle;
using state::KeyGroupRange;
using state::KeyGroupsHandle;
using state::OperatorStateHandle;
using Names = std::map<OperatorId, OperatorName>;

std::string describe(const OperatorId& id, const OperatorName& name) {
  std::string text = name.name.empty() ? "operator" : absl::StrFormat("operator '%s'", name.name);
  if (!name.uid.empty()) absl::StrAppendFormat(&text, " (uid '%s')", name.uid);
  return absl::StrFormat("%s with id %s", text, id.toHex());
}

std::string describe(const JobTopology::Operator& one) {
  return describe(one.id, {one.uid, one.name});
}

absl::Status checkEverythingHasATaker(const OperatorsById& operators, const Names& names,
                                      const JobTopology& topology) {
  OperatorsById left = operators;
  for (const JobTopology::Vertex& vertex : topology.vertices) {
    for (const JobTopology::Operator& one : vertex.operators) left.erase(one.id);
  }
  for (const auto& [id, snapshot] : left) {
    if (!snapshot->hasState()) continue;
    const auto name = names.find(id);
    return absl::FailedPreconditionError(absl::StrFormat(
        "the checkpoint has state of %s, which the job does not have. Give the operator that shall "
        "take it over this uid, or pass --allowNonRestoredState to leave the state behind",
        describe(id, name == names.end() ? OperatorName{} : name->second)));
  }
  return absl::OkStatus();
}

absl::Status checkParallelism(const OperatorSnapshot& snapshot, const JobTopology::Vertex& vertex,
                              const JobTopology::Operator& one) {
  if (snapshot.max_parallelism < vertex.parallelism) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the state of %s was written with max parallelism %d and cannot be restored with "
        "parallelism %d: lower the parallelism to %d at most",
        describe(one), snapshot.max_parallelism, vertex.parallelism, snapshot.max_parallelism));
  }
  if (snapshot.max_parallelism != vertex.max_parallelism) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the state of %s was written with max parallelism %d, the job has %d: set "
        "the max parallelism of the operator to %d",
        describe(one), snapshot.max_parallelism, vertex.max_parallelism, snapshot.max_parallelism));
  }
  return absl::OkStatus();
}

std::optional<KeyedStateHandle> intersect(const KeyedStateHandle& handle,
                                          const KeyGroupRange& range) {
  const KeyGroupRange& own = state::keyGroupsOf(handle);
  const KeyGroupRange both = own.intersect(range);
  if (both.empty()) return std::nullopt;
  const auto* key_groups = std::get_if<KeyGroupsHandle>(&handle);
  if (key_groups == nullptr) return handle;  // A database is taken as a whole.
  KeyGroupsHandle part = *key_groups;
  part.key_groups = both;
  const auto first = key_groups->offsets.begin() + (both.start - own.start);
  part.offsets.assign(first, first + both.size());
  return part;
}

std::vector<KeyedStateHandle> keyedStateFor(const OperatorSnapshot& snapshot,
                                            const JobTopology::Vertex& vertex, int subtask) {
  std::vector<KeyedStateHandle> handles;
  if (snapshot.parallelism == vertex.parallelism) {
    const auto found = snapshot.subtasks.find(subtask);
    if (found != snapshot.subtasks.end() && found->second.keyed_state) {
      handles.push_back(*found->second.keyed_state);
    }
    return handles;
  }
  const KeyGroupRange range =
      state::keyGroupRangeFor(subtask, vertex.parallelism, vertex.max_parallelism);
  for (const auto& [index, old] : snapshot.subtasks) {
    if (!old.keyed_state) continue;
    if (auto part = intersect(*old.keyed_state, range)) handles.push_back(std::move(*part));
  }
  return handles;
}

std::vector<std::vector<OperatorStateHandle>> operatorStateFor(const OperatorSnapshot& snapshot,
                                                               int new_parallelism) {
  std::vector<std::vector<OperatorStateHandle>> old_subtasks(snapshot.parallelism);
  for (const auto& [index, old] : snapshot.subtasks) {
    if (old.operator_state) old_subtasks[index].push_back(*old.operator_state);
  }
  return repartitionOperatorState(old_subtasks, new_parallelism);
}

bool isCanonical(const KeyedStateHandle& handle) {
  const auto* key_groups = std::get_if<KeyGroupsHandle>(&handle);
  return key_groups != nullptr && key_groups->format == KeyGroupsHandle::Format::kCanonical;
}

/// What a subtask has in the checkpoint that no task could read; empty: nothing.
std::string unreadableIn(const SubtaskSnapshot& subtask) {
  if (!subtask.input_channels.empty() || !subtask.result_subpartitions.empty()) {
    return "in-flight data of an unaligned checkpoint";
  }
  if (subtask.raw_operator_state || subtask.raw_keyed_state) return "raw state";
  if (subtask.keyed_state && isCanonical(*subtask.keyed_state)) {
    return "keyed state in the canonical form of savepoints";
  }
  return "";
}

/// Else the tasks would find out, and fail in every attempt.
absl::Status checkSupported(const OperatorSnapshot& snapshot, const JobTopology::Operator& one) {
  std::string what = snapshot.coordinator_state.isNone() ? "" : "state of a source coordinator";
  for (const auto& [index, subtask] : snapshot.subtasks) {
    if (what.empty()) what = unreadableIn(subtask);
  }
  if (what.empty()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrFormat(
      "%s has %s in the checkpoint, which this version cannot restore: start from an aligned "
      "checkpoint, or from a savepoint in native form (flink savepoint --type native)",
      describe(one), what));
}

/// The backend whose checkpoints have this form.
const char* backendOf(const KeyedStateHandle& handle) {
  return std::holds_alternative<IncrementalHandle>(handle) ? "rocksdb" : "hashmap";
}

absl::Status checkBackend(const OperatorSnapshot& snapshot, const std::string& backend,
                          const JobTopology::Operator& one) {
  for (const auto& [index, subtask] : snapshot.subtasks) {
    if (!subtask.keyed_state) continue;
    const char* written_by = backendOf(*subtask.keyed_state);
    if (backend == written_by) continue;
    return absl::FailedPreconditionError(
        absl::StrFormat("the keyed state of %s was written with state.backend.type %s and the job "
                        "uses %s: run the job with state.backend.type %s",
                        describe(one), written_by, backend, written_by));
  }
  return absl::OkStatus();
}

absl::Status assignOperator(const OperatorSnapshot& snapshot, const std::string& backend,
                            const JobTopology::Vertex& vertex, const JobTopology::Operator& one,
                            std::vector<TaskRestore>& tasks) {
  if (!snapshot.hasState()) return absl::OkStatus();
  WIESEL_RETURN_IF_ERROR(checkSupported(snapshot, one));
  WIESEL_RETURN_IF_ERROR(checkBackend(snapshot, backend, one));
  WIESEL_RETURN_IF_ERROR(checkParallelism(snapshot, vertex, one));
  auto operator_state = operatorStateFor(snapshot, vertex.parallelism);
  for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
    state::SubtaskState state;
    state.operator_state = std::move(operator_state[subtask]);
    state.keyed_state = keyedStateFor(snapshot, vertex, subtask);
    tasks[subtask].operators.push_back({one.id, std::move(state)});
  }
  return absl::OkStatus();
}

}  // namespace

JobRestore JobRestore::nothing(const JobTopology& topology) {
  JobRestore restore;
  for (const JobTopology::Vertex& vertex : topology.vertices) {
    restore.tasks.emplace_back(vertex.parallelism);
  }
  return restore;
}

absl::StatusOr<JobRestore> assignState(const CheckpointMetadata& metadata, const Names& names,
                                       const JobTopology& topology, bool allow_non_restored_state) {
  OperatorsById operators;
  for (const OperatorSnapshot& snapshot : metadata.operators) operators[snapshot.id] = &snapshot;
  if (!allow_non_restored_state) {
    WIESEL_RETURN_IF_ERROR(checkEverythingHasATaker(operators, names, topology));
  }
  WIESEL_ASSIGN_OR_RETURN(const auto finished, findFinishedSubtasks(operators, topology));
  JobRestore restore = JobRestore::nothing(topology);
  restore.checkpoint_id = metadata.checkpoint_id;
  for (size_t i = 0; i < topology.vertices.size(); ++i) {
    const JobTopology::Vertex& vertex = topology.vertices[i];
    for (const JobTopology::Operator& one : vertex.operators) {
      const auto found = operators.find(one.id);
      if (found == operators.end()) continue;
      WIESEL_RETURN_IF_ERROR(
          assignOperator(*found->second, topology.state_backend, vertex, one, restore.tasks[i]));
    }
    for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
      restore.tasks[i][subtask].finished = finished[i][subtask];
    }
  }
  return restore;
}

}  // namespace wiesel::checkpoint
