#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "common/ids.h"

namespace wiesel::checkpoint {

/// One attempt of one subtask. `attempt` is one number for the whole job and grows with each
/// restart of it.
struct ExecutionRef {
  JobVertexId vertex;
  int subtask = 0;
  int attempt = 0;

  friend auto operator<=>(const ExecutionRef&, const ExecutionRef&) = default;
};

/// How the checkpoint coordinator speaks to the tasks. The job master implements it and groups the
/// tasks by the worker that they run in.
///
/// Threads: called on the coordinator's event loop; must not block and must not call back into the
///          coordinator before it returns.
/// Errors:  none are returned. A message that cannot be delivered belongs to a task that is about
///          to be reported as failed, or to a checkpoint that will time out.
/// Order:   messages to one task arrive in the order of the calls.
/// Flink:   TaskManagerGateway.triggerCheckpoint, notifyCheckpointOnComplete and
///          notifyCheckpointAborted (1.20).
class TaskGateway {
 public:
  virtual ~TaskGateway() = default;

  /// The tasks shall emit the barrier of `checkpoint_id` and snapshot themselves. They are sources,
  /// or tasks whose predecessors have all finished.
  virtual void triggerCheckpoint(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id,
                                 int64_t timestamp_ms) = 0;

  /// The checkpoint is complete and durable: `tasks` (all that still run) may commit.
  virtual void notifyComplete(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) = 0;

  /// The checkpoint will never complete: `tasks` (all that still run) stop working on it.
  virtual void notifyAborted(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) = 0;
};

}  // namespace wiesel::checkpoint
