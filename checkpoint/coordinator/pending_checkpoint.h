#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpoint/coordinator/checkpoint_plan.h"
#include "checkpoint/coordinator/task_gateway.h"
#include "checkpoint/coordinator/task_snapshot.h"
#include "checkpoint/job_topology.h"
#include "checkpoint/metadata/checkpoint_metadata.h"

namespace wiesel::checkpoint {

/// A checkpoint that is under way: who has acknowledged, with what. Pure; knows no files or timers.
///
/// Threads: not thread-safe; belongs to the coordinator.
/// Flink:   PendingCheckpoint and DefaultCheckpointPlan (1.20).
class PendingCheckpoint {
 public:
  enum class Ack { kAccepted, kDuplicate, kUnknownTask };

  /// `finished_on_restore` [vertex][subtask], may be empty: tasks of the plan that the restored
  /// checkpoint already had as ended.
  PendingCheckpoint(int64_t id, int64_t timestamp_ms, CheckpointPlan plan,
                    std::vector<std::vector<bool>> finished_on_restore);

  Ack acknowledge(const ExecutionRef& task, TaskSnapshot snapshot);

  bool isFullyAcknowledged() const { return snapshots_.size() == plan_.to_wait_for.size(); }
  bool waitsFor(const ExecutionRef& task) const;

  /// All tasks said that nothing comes after their snapshot: the job's last checkpoint.
  bool isLast() const;

  /// Of each phase the longest of a task, as far as tasks have acknowledged.
  CheckpointTimes longestTimes() const;

  /// "2 of 5 tasks did not acknowledge: 'source' (1/2), 'window' (2/2)"; names three at most.
  std::string describeMissing(const JobTopology& topology) const;

  /// What goes into _metadata; all operators are listed. FailedPrecondition when a vertex with
  /// union list state has ended in part, since the ended part's elements would be lost.
  /// Requires isFullyAcknowledged().
  absl::StatusOr<CheckpointMetadata> buildMetadata(const JobTopology& topology) const;

  int64_t id() const { return id_; }
  int64_t timestampMs() const { return timestamp_ms_; }
  const CheckpointPlan& plan() const { return plan_; }

 private:
  std::vector<bool> endedSubtasks(size_t vertex, int parallelism) const;
  bool reachedEndInPart(const JobTopology::Vertex& vertex, const std::vector<bool>& ended) const;
  OperatorSnapshot snapshotOf(const JobTopology::Vertex& vertex, const OperatorId& id) const;

  const int64_t id_;
  const int64_t timestamp_ms_;
  const CheckpointPlan plan_;
  const std::vector<std::vector<bool>> finished_on_restore_;
  std::map<ExecutionRef, TaskSnapshot> snapshots_;
};

}  // namespace wiesel::checkpoint
