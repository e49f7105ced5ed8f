#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "checkpoint/job_topology.h"
#include "common/ids.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// How long a task was busy with one checkpoint, phase by phase. Flink: CheckpointMetrics (1.20).
struct CheckpointTimes {
  int64_t start_delay_ms = 0;  // From when the checkpoint was begun to the first barrier.
  int64_t alignment_ms = 0;    // From the first barrier to the last.
  int64_t sync_ms = 0;         // In the task thread.
  int64_t async_ms = 0;        // Beside it.
};

/// What one task hands in for one checkpoint. Flink: TaskStateSnapshot (1.20).
struct TaskSnapshot {
  struct Operator {
    OperatorId id;
    state::SubtaskState state;
  };

  std::vector<Operator> operators;  // Those with state.
  bool finished = false;            // Its input had ended: nothing will come after this snapshot.
  CheckpointTimes times;
};

/// A snapshot comes in a message, from a process that may be mistaken: InvalidArgument when
/// subtask `subtask` of the vertex cannot have made it, in words that follow "it handed in".
absl::Status checkSnapshot(const TaskSnapshot& snapshot, const JobTopology::Vertex& vertex,
                           int subtask);

}  // namespace wiesel::checkpoint
