#pragma once

#include <optional>
#include <vector>

#include "checkpoint/coordinator/task_gateway.h"
#include "checkpoint/coordinator/task_states.h"
#include "checkpoint/job_topology.h"

namespace wiesel::checkpoint {

/// Who takes part in one checkpoint. Flink: CheckpointPlan (1.20).
struct CheckpointPlan {
  std::vector<ExecutionRef> to_trigger;     // They emit the barrier.
  std::vector<ExecutionRef> to_wait_for;    // They acknowledge: all that run.
  std::vector<std::vector<bool>> finished;  // [vertex][subtask]: had ended before.
};

/// Plans a checkpoint of the tasks as they are now; nullopt when one has not started yet or none
/// runs any more. All sources are triggered, and where tasks have finished, those that run without
/// a running predecessor. Pure.
///
/// Flink: DefaultCheckpointPlanCalculator (1.20).
std::optional<CheckpointPlan> planCheckpoint(const JobTopology& topology, const TaskStates& states);

/// The first and last producer subtask that a consumer subtask reads over a pointwise edge. Flink:
/// VertexInputInfoComputationUtils (1.20).
struct ProducerRange {
  int first = 0;
  int last = 0;
};
ProducerRange pointwiseProducers(int producers, int consumers, int consumer);

}  // namespace wiesel::checkpoint
