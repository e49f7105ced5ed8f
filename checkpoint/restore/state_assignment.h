#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpoint/job_topology.h"
#include "checkpoint/metadata/checkpoint_metadata.h"
#include "checkpoint/metadata/sidecar.h"
#include "common/ids.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// What one subtask starts from.
struct TaskRestore {
  struct Operator {
    OperatorId id;
    state::SubtaskState state;
  };

  bool finished = false;  // It had ended before the checkpoint: it only passes the end on.
  /// Those that have state in the checkpoint, in chain order. A subtask's part of it may be empty.
  std::vector<Operator> operators;
};

/// What the tasks of a job start from.
struct JobRestore {
  int64_t checkpoint_id = 0;  // 0: from nothing.
  std::string directory;      // Where relative handles are; empty when nothing is restored.
  std::vector<std::vector<TaskRestore>> tasks;  // [vertex of the topology][subtask].

  /// A start from nothing.
  static JobRestore nothing(const JobTopology& topology);
};

/// Deals the state of a checkpoint out to the subtasks of a job, whose parallelisms may differ from
/// those of the checkpoint. Pure. Keyed state goes to every subtask whose key groups it overlaps;
/// list state is dealt out round robin when the parallelism differs and stays where it was when it
/// does not; union state goes to all; broadcast state: one copy to each.
///
/// Errors: FailedPrecondition for a max parallelism that differs or is exceeded, for keyed state
///         that another backend wrote, for state without an operator in the job (unless
///         `allow_non_restored_state`), and for a chain or an edge that does not fit to what had
///         ended; Unimplemented for state in a form that no task can read, such as keyed state of
///         a canonical savepoint. The operator is named by uid, name and id.
/// Flink:  StateAssignmentOperation, RoundRobinOperatorStateRepartitioner and
///         VertexFinishedStateChecker (1.20). Differs: a subtask that had ended is restored as
///         ended also when its siblings had not, as long as the parallelism is the same.
absl::StatusOr<JobRestore> assignState(const CheckpointMetadata& metadata,
                                       const std::map<OperatorId, OperatorName>& names,
                                       const JobTopology& topology, bool allow_non_restored_state);

}  // namespace wiesel::checkpoint
