#include "checkpoint/restore/finished_vertices.h"

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace wiesel::checkpoint {
namespace {

enum class Ended { kNone, kPartly, kFully };

const OperatorSnapshot* find(const OperatorsById& operators, const OperatorId& id) {
  const auto found = operators.find(id);
  return found == operators.end() ? nullptr : found->second;
}

Ended endedOf(const OperatorSnapshot* snapshot) {
  if (snapshot == nullptr) return Ended::kNone;
  if (snapshot->fully_finished) return Ended::kFully;
  for (const auto& [index, subtask] : snapshot->subtasks) {
    if (subtask.finished) return Ended::kPartly;
  }
  return Ended::kNone;
}

absl::StatusOr<Ended> endedOf(const OperatorsById& operators, const JobTopology::Vertex& vertex) {
  Ended ended = Ended::kNone;
  for (size_t i = 0; i < vertex.operators.size(); ++i) {
    const Ended one = endedOf(find(operators, vertex.operators[i].id));
    if (i == 0) ended = one;
    if (one != ended) {
      return absl::FailedPreconditionError(absl::StrFormat(
          "the chain of vertex '%s' cannot be restored: in the checkpoint '%s' and '%s' had not "
          "come equally far to their end. Chain the operators as in the job that wrote it",
          vertex.name, vertex.operators[0].name, vertex.operators[i].name));
    }
  }
  return ended;
}

absl::Status checkPredecessors(const JobTopology& topology, const std::vector<Ended>& ended,
                               size_t vertex) {
  if (ended[vertex] == Ended::kNone) return absl::OkStatus();
  for (const JobTopology::Edge& edge : topology.vertices[vertex].inputs) {
    const Ended predecessor = ended[edge.source];
    const bool partly_is_enough = ended[vertex] == Ended::kPartly && edge.pointwise;
    if (predecessor == Ended::kFully) continue;
    if (predecessor == Ended::kPartly && partly_is_enough) continue;
    return absl::FailedPreconditionError(
        absl::StrFormat("vertex '%s' had ended in the checkpoint, but its predecessor '%s' goes "
                        "on: connect them as "
                        "in the job that wrote it",
                        topology.vertices[vertex].name, topology.vertices[edge.source].name));
  }
  return absl::OkStatus();
}

std::vector<bool> finishedSubtasks(const OperatorsById& operators,
                                   const JobTopology::Vertex& vertex, Ended ended) {
  if (ended == Ended::kFully) return std::vector<bool>(vertex.parallelism, true);
  std::vector<bool> finished(vertex.parallelism, ended == Ended::kPartly);
  if (ended == Ended::kNone) return finished;
  for (const JobTopology::Operator& one : vertex.operators) {
    const OperatorSnapshot& snapshot = *find(operators, one.id);
    for (int subtask = 0; subtask < vertex.parallelism; ++subtask) {
      const auto found = snapshot.subtasks.find(subtask);
      const bool had_ended = snapshot.parallelism == vertex.parallelism &&
                             found != snapshot.subtasks.end() && found->second.finished;
      if (!had_ended) finished[subtask] = false;
    }
  }
  return finished;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<bool>>> findFinishedSubtasks(const OperatorsById& operators,
                                                                    const JobTopology& topology) {
  std::vector<Ended> ended;
  std::vector<std::vector<bool>> finished;
  for (const JobTopology::Vertex& vertex : topology.vertices) {
    WIESEL_ASSIGN_OR_RETURN(const Ended one, endedOf(operators, vertex));
    ended.push_back(one);
    finished.push_back(finishedSubtasks(operators, vertex, one));
  }
  for (size_t vertex = 0; vertex < topology.vertices.size(); ++vertex) {
    WIESEL_RETURN_IF_ERROR(checkPredecessors(topology, ended, vertex));
  }
  return finished;
}

}  // namespace wiesel::checkpoint
