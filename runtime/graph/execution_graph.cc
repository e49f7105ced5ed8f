#include "runtime/graph/execution_graph.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/check.h"
#include "common/status_macros.h"
#include "runtime/graph/job_graph_check.h"

namespace wiesel::runtime {

absl::StatusOr<std::unique_ptr<ExecutionGraph>> ExecutionGraph::build(proto::JobGraph graph,
                                                                      int64_t now_ms) {
  WIESEL_RETURN_IF_ERROR(checkJobGraph(graph));
  std::unique_ptr<ExecutionGraph> result(new ExecutionGraph(std::move(graph)));
  result->connect();
  result->startAttempt(now_ms);
  return result;
}

ExecutionGraph::ExecutionGraph(proto::JobGraph graph) : graph_(std::move(graph)) {}

void ExecutionGraph::connect() {
  vertices_.resize(static_cast<size_t>(graph_.vertices_size()));
  for (int32_t index = 0; index < graph_.vertices_size(); ++index) {
    const proto::JobVertex& info = graph_.vertices(index);
    ExecutionVertex& vertex = vertices_[index];
    index_of_vertex_.emplace(info.id(), index);
    vertex.info = &info;
    vertex.subtasks.resize(static_cast<size_t>(info.parallelism()));
    for (const proto::JobEdge& edge : info.inputs()) {
      const int32_t producer = index_of_vertex_.at(edge.source_vertex());
      vertex.inputs.push_back(
          {producer, edge.output_index(), edge.input_index(), edge.distribution()});
      vertices_[producer].outputs.push_back({index, edge.output_index(), edge.distribution()});
    }
    for (int32_t subtask = 0; subtask < info.parallelism(); ++subtask) {
      subtasks_.push_back({index, subtask});
    }
  }
  for (ExecutionVertex& vertex : vertices_) {
    std::sort(vertex.outputs.begin(), vertex.outputs.end(),
              [](const ExecutionOutput& left, const ExecutionOutput& right) {
                return left.output_index < right.output_index;
              });
  }
}

void ExecutionGraph::startAttempt(int64_t now_ms) {
  counts_ = {};
  counts_[proto::CREATED] = static_cast<int32_t>(subtasks_.size());
  for (ExecutionVertex& vertex : vertices_) {
    vertex.counts = {};
    vertex.counts[proto::CREATED] = vertex.parallelism();
    for (Execution& execution : vertex.subtasks) {
      execution = {};
      execution.entered_ms[proto::CREATED] = now_ms;
    }
  }
}

const Execution& ExecutionGraph::execution(SubtaskId id) const {
  return vertices_.at(static_cast<size_t>(id.vertex)).subtasks.at(static_cast<size_t>(id.subtask));
}

Execution& ExecutionGraph::mutableExecution(SubtaskId id) {
  return vertices_.at(static_cast<size_t>(id.vertex)).subtasks.at(static_cast<size_t>(id.subtask));
}

std::optional<SubtaskId> ExecutionGraph::find(const proto::TaskRef& ref) const {
  const auto vertex = index_of_vertex_.find(ref.vertex_id());
  if (vertex == index_of_vertex_.end() || ref.attempt() != attempt_) return std::nullopt;
  if (ref.subtask() < 0 || ref.subtask() >= vertices_[vertex->second].parallelism()) {
    return std::nullopt;
  }
  return SubtaskId{vertex->second, ref.subtask()};
}

proto::TaskRef ExecutionGraph::refOf(SubtaskId id) const {
  proto::TaskRef ref;
  ref.set_vertex_id(graph_.vertices(id.vertex).id());
  ref.set_subtask(id.subtask);
  ref.set_attempt(attempt_);
  return ref;
}

std::string ExecutionGraph::taskNameOf(SubtaskId id) const {
  return absl::StrFormat("%s (%d/%d)", graph_.vertices(id.vertex).name(), id.subtask + 1,
                         vertices_[id.vertex].parallelism());
}

bool ExecutionGraph::transition(SubtaskId id, ExecutionState state, int64_t now_ms) {
  Execution& execution = mutableExecution(id);
  if (!canFollow(execution.state, state)) return false;
  ExecutionVertex& vertex = vertices_[id.vertex];
  --vertex.counts[execution.state];
  --counts_[execution.state];
  ++vertex.counts[state];
  ++counts_[state];
  execution.state = state;
  execution.entered_ms[state] = now_ms;
  return true;
}

void ExecutionGraph::place(SubtaskId id, std::string worker_id, std::string task_manager_id) {
  Execution& execution = mutableExecution(id);
  execution.worker_id = std::move(worker_id);
  execution.task_manager_id = std::move(task_manager_id);
}

void ExecutionGraph::setEndOfData(SubtaskId id) { mutableExecution(id).end_of_data = true; }

void ExecutionGraph::beginNextAttempt(int64_t now_ms) {
  WIESEL_CHECK(allTerminal());
  ++attempt_;
  startAttempt(now_ms);
}

bool ExecutionGraph::allTerminal() const {
  return counts_[proto::FINISHED] + counts_[proto::CANCELED] + counts_[proto::FAILED] ==
         static_cast<int32_t>(subtasks_.size());
}

bool ExecutionGraph::allIn(ExecutionState state) const {
  return counts_[state] == static_cast<int32_t>(subtasks_.size());
}

}  // namespace wiesel::runtime
