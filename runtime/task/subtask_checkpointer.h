#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/task/operator_chain.h"
#include "runtime/task/task_spec.h"

namespace wiesel::runtime {

/// Uploads what a task's operators saved at a barrier and acknowledges the checkpoint, or declines
/// it with the reason. The upload runs in the environment's io executor and may outlive the task.
///
/// Threads: begin() from the task thread.
/// Flink:   SubtaskCheckpointCoordinatorImpl, AsyncCheckpointRunnable (1.20).
class SubtaskCheckpointer {
 public:
  /// Borrows `environment` and `listener`, which must outlive all uploads.
  SubtaskCheckpointer(proto::TaskRef task, const TaskEnvironment& environment,
                      TaskListener& listener);

  struct Times {
    int64_t sync_ms = 0;
    int64_t alignment_ms = 0;
    int64_t start_delay_ms = 0;
  };

  /// `finished`: the task has reached the end of its data, this is all it will ever hold.
  void begin(int64_t checkpoint_id, std::vector<OperatorSnapshotParts> parts, bool finished,
             Times times);

 private:
  proto::TaskRef task_;
  const TaskEnvironment& environment_;
  TaskListener& listener_;
};

}  // namespace wiesel::runtime
