#include "checkpoint/coordinator/pending_checkpoint.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/check.h"

namespace wiesel::checkpoint {
namespace {

SubtaskSnapshot toSubtaskSnapshot(const state::SubtaskState& state) {
  WIESEL_CHECK(state.operator_state.size() <= 1 && state.keyed_state.size() <= 1)
      << "a snapshot has one handle of each kind at most";
  SubtaskSnapshot snapshot;
  if (!state.operator_state.empty()) snapshot.operator_state = state.operator_state.front();
  if (!state.keyed_state.empty()) snapshot.keyed_state = state.keyed_state.front();
  return snapshot;
}

bool hasUnionState(const OperatorSnapshot& snapshot) {
  for (const auto& [subtask, own] : snapshot.subtasks) {
    if (!own.operator_state) continue;
    for (const auto& one : own.operator_state->states) {
      if (one.mode == state::DistributionMode::kUnion) return true;
    }
  }
  return false;
}

void markEnded(const std::vector<bool>& ended, OperatorSnapshot& snapshot) {
  snapshot.fully_finished = std::find(ended.begin(), ended.end(), false) == ended.end();
  if (snapshot.fully_finished) {
    snapshot.subtasks.clear();
    return;
  }
  for (size_t subtask = 0; subtask < ended.size(); ++subtask) {
    if (!ended[subtask]) continue;
    SubtaskSnapshot& target = snapshot.subtasks[static_cast<int>(subtask)];
    target = SubtaskSnapshot{};
    target.finished = true;
  }
}

}  // namespace

PendingCheckpoint::PendingCheckpoint(int64_t id, int64_t timestamp_ms, CheckpointPlan plan,
                                     std::vector<std::vector<bool>> finished_on_restore)
    : id_(id),
      timestamp_ms_(timestamp_ms),
      plan_(std::move(plan)),
      finished_on_restore_(std::move(finished_on_restore)) {}

PendingCheckpoint::Ack PendingCheckpoint::acknowledge(const ExecutionRef& task,
                                                      TaskSnapshot snapshot) {
  if (snapshots_.count(task) != 0) return Ack::kDuplicate;
  if (!waitsFor(task)) return Ack::kUnknownTask;
  snapshots_.emplace(task, std::move(snapshot));
  return Ack::kAccepted;
}

bool PendingCheckpoint::waitsFor(const ExecutionRef& task) const {
  const auto& tasks = plan_.to_wait_for;
  return std::find(tasks.begin(), tasks.end(), task) != tasks.end() && snapshots_.count(task) == 0;
}

bool PendingCheckpoint::isLast() const {
  return isFullyAcknowledged() &&
         std::all_of(snapshots_.begin(), snapshots_.end(),
                     [](const auto& entry) { return entry.second.finished; });
}

CheckpointTimes PendingCheckpoint::longestTimes() const {
  CheckpointTimes longest;
  for (const auto& [task, snapshot] : snapshots_) {
    const CheckpointTimes& times = snapshot.times;
    longest.start_delay_ms = std::max(longest.start_delay_ms, times.start_delay_ms);
    longest.alignment_ms = std::max(longest.alignment_ms, times.alignment_ms);
    longest.sync_ms = std::max(longest.sync_ms, times.sync_ms);
    longest.async_ms = std::max(longest.async_ms, times.async_ms);
  }
  return longest;
}

std::string PendingCheckpoint::describeMissing(const JobTopology& topology) const {
  constexpr size_t kMaxNames = 3;
  const size_t missing = plan_.to_wait_for.size() - snapshots_.size();
  std::string text =
      absl::StrFormat("%d of %d tasks did not acknowledge:", missing, plan_.to_wait_for.size());
  size_t named = 0;
  for (const ExecutionRef& task : plan_.to_wait_for) {
    if (snapshots_.count(task) != 0) continue;
    if (named++ == kMaxNames) return text + ", ...";
    const JobTopology::Vertex& vertex = topology.vertices[topology.indexOf(task.vertex)];
    absl::StrAppendFormat(&text, "%s '%s' (%d/%d)", named == 1 ? "" : ",", vertex.name,
                          task.subtask + 1, vertex.parallelism);
  }
  return text;
}

absl::StatusOr<CheckpointMetadata> PendingCheckpoint::buildMetadata(
    const JobTopology& topology) const {
  WIESEL_CHECK(isFullyAcknowledged());
  CheckpointMetadata metadata;
  metadata.checkpoint_id = id_;
  for (size_t i = 0; i < topology.vertices.size(); ++i) {
    const JobTopology::Vertex& vertex = topology.vertices[i];
    const std::vector<bool> ended = endedSubtasks(i, vertex.parallelism);
    const bool in_part = reachedEndInPart(vertex, ended);
    for (const JobTopology::Operator& one : vertex.operators) {
      OperatorSnapshot snapshot = snapshotOf(vertex, one.id);
      if (in_part && hasUnionState(snapshot)) {
        return absl::FailedPreconditionError(absl::StrFormat(
            "operator '%s' of vertex '%s' has union list state and a part of its subtasks has "
            "reached the end: the elements of that part would be lost",
            one.name, vertex.name));
      }
      markEnded(ended, snapshot);
      metadata.operators.push_back(std::move(snapshot));
    }
  }
  return metadata;
}

std::vector<bool> PendingCheckpoint::endedSubtasks(size_t vertex, int parallelism) const {
  std::vector<bool> ended = plan_.finished[vertex];
  if (vertex >= finished_on_restore_.size()) return ended;
  for (int subtask = 0; subtask < parallelism; ++subtask) {
    if (finished_on_restore_[vertex][subtask]) ended[subtask] = true;
  }
  return ended;
}

bool PendingCheckpoint::reachedEndInPart(const JobTopology::Vertex& vertex,
                                         const std::vector<bool>& ended) const {
  const auto all = static_cast<std::ptrdiff_t>(ended.size());
  const std::ptrdiff_t before = std::count(ended.begin(), ended.end(), true);
  if (before == all) return false;
  const std::ptrdiff_t now = std::count_if(
      snapshots_.begin(), snapshots_.end(),
      [&](const auto& entry) { return entry.first.vertex == vertex.id && entry.second.finished; });
  return before > 0 || (now > 0 && now < all);
}

OperatorSnapshot PendingCheckpoint::snapshotOf(const JobTopology::Vertex& vertex,
                                               const OperatorId& id) const {
  OperatorSnapshot result;
  result.id = id;
  result.parallelism = vertex.parallelism;
  result.max_parallelism = vertex.max_parallelism;
  for (const auto& [task, snapshot] : snapshots_) {
    if (task.vertex != vertex.id) continue;
    for (const TaskSnapshot::Operator& one : snapshot.operators) {
      if (one.id != id || one.state.isEmpty()) continue;
      result.subtasks[task.subtask] = toSubtaskSnapshot(one.state);
    }
  }
  return result;
}

}  // namespace wiesel::checkpoint
