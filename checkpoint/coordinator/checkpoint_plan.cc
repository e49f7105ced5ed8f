#include "checkpoint/coordinator/checkpoint_plan.h"

namespace wiesel::checkpoint {
namespace {

using State = TaskStates::State;

bool anyRuns(const TaskStates& states, int vertex, int first, int last) {
  for (int subtask = first; subtask <= last; ++subtask) {
    if (states.stateOf(vertex, subtask) == State::kRunning) return true;
  }
  return false;
}

bool hasRunningPredecessor(const JobTopology& topology, const TaskStates& states, int vertex,
                           int subtask) {
  const JobTopology::Vertex& consumer = topology.vertices[vertex];
  for (const JobTopology::Edge& edge : consumer.inputs) {
    const int producers = topology.vertices[edge.source].parallelism;
    const ProducerRange range = edge.pointwise
                                    ? pointwiseProducers(producers, consumer.parallelism, subtask)
                                    : ProducerRange{0, producers - 1};
    if (anyRuns(states, edge.source, range.first, range.last)) return true;
  }
  return false;
}

}  // namespace

ProducerRange pointwiseProducers(int producers, int consumers, int consumer) {
  if (producers >= consumers) {
    return {consumer * producers / consumers, (consumer + 1) * producers / consumers - 1};
  }
  // Producer p serves the consumers from ceil(p * consumers / producers) on.
  const int producer = consumer * producers / consumers;
  return {producer, producer};
}

std::optional<CheckpointPlan> planCheckpoint(const JobTopology& topology,
                                             const TaskStates& states) {
  if (!states.allStarted()) return std::nullopt;
  CheckpointPlan plan;
  for (int vertex = 0; vertex < static_cast<int>(topology.vertices.size()); ++vertex) {
    const int parallelism = topology.vertices[vertex].parallelism;
    plan.finished.emplace_back(parallelism, false);
    for (int subtask = 0; subtask < parallelism; ++subtask) {
      if (states.stateOf(vertex, subtask) == State::kFinished) {
        plan.finished[vertex][subtask] = true;
        continue;
      }
      const ExecutionRef task = states.refOf(vertex, subtask);
      plan.to_wait_for.push_back(task);
      if (!hasRunningPredecessor(topology, states, vertex, subtask)) {
        plan.to_trigger.push_back(task);
      }
    }
  }
  if (plan.to_wait_for.empty()) return std::nullopt;
  return plan;
}

}  // namespace wiesel::checkpoint
