#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/coordinator/checkpoint_cleaner.h"
#include "checkpoint/coordinator/checkpoint_plan.h"
#include "checkpoint/coordinator/checkpoint_settings.h"
#include "checkpoint/coordinator/completed_checkpoint_store.h"
#include "checkpoint/coordinator/failure_policy.h"
#include "checkpoint/coordinator/loop_scope.h"
#include "checkpoint/coordinator/pending_checkpoint.h"
#include "checkpoint/coordinator/task_gateway.h"
#include "checkpoint/coordinator/task_snapshot.h"
#include "checkpoint/coordinator/task_states.h"
#include "checkpoint/coordinator/trigger_policy.h"
#include "checkpoint/job_topology.h"
#include "checkpoint/restore/state_assignment.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/clock.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "common/ids.h"
#include "common/random.h"

namespace wiesel::checkpoint {

/// What the coordinator tells the job master. Called on the event loop, never from inside a call of
/// the job master to the coordinator.
class CoordinatorListener {
 public:
  virtual ~CoordinatorListener() = default;

  /// More checkpoints in a row have failed than
  /// execution.checkpointing.tolerable-failed-checkpoints allows: the job has to fail, and its
  /// restart strategy decides. The message stands in one line.
  virtual void failJob(const absl::Status& cause) = 0;

  /// A checkpoint is complete and its tasks are being told.
  virtual void onCheckpointCompleted(const StoredCheckpoint& /*checkpoint*/) {}
};

/// Numbers of one job, since its start.
struct CheckpointCounts {
  int64_t triggered = 0;
  int64_t completed = 0;
  int64_t failed = 0;
  int64_t restored = 0;
  int in_progress = 0;
};

/// Takes the checkpoints of one job: says when, tells the sources, collects what the tasks hand in,
/// has it stored, tells the tasks, and throws away what is not needed any more. Gives a job that
/// starts, or starts again, the state to go on from.
///
/// It only sequences. When to begin is trigger_policy, whom to trigger is checkpoint_plan, what is
/// missing is pending_checkpoint, which failures count is failure_policy, what is kept is
/// completed_checkpoint_store, who gets which state is restore/state_assignment.
///
/// Order of calls: start() once; then taskRunning() for each task that runs, and acknowledge(),
///          decline(), taskReachedEnd(), taskFinished() as the tasks report; jobRestarting(), then
///          restoreLatest() before a new attempt is deployed; jobTerminal() last.
/// Threads: all calls on the event loop; callbacks and gateway calls come on it too. File work runs
///          on the executor. Only the callback of jobTerminal() may destroy the coordinator.
///          Destroyed on the loop too, or when the loop runs nothing any more.
/// Owns:    nothing of the environment, which must outlive it and every closure that its executor
///          still runs. Once destroyed it calls nobody.
/// Promise: a checkpoint counts for a restore exactly when its storage said that it is complete.
///          Ids grow by one and go on after a restore (the first one is n + 1). A checkpoint that
///          the job was started from is never deleted (Flink: NO_CLAIM).
/// Flink:   CheckpointCoordinator (1.20).
class CheckpointCoordinator {
 public:
  struct Environment {
    EventLoop& loop;
    const Clock& clock;
    Executor& io;
    TaskGateway& tasks;
    CoordinatorListener& listener;
    std::shared_ptr<CheckpointStorage> storage;  // Shared with file work that is on its way.
    RandomSource* random = nullptr;  // Draws the first delay from [min pause, interval] as Flink
                                     // does; null: the interval itself.
  };
  using OnRestore = std::function<void(absl::StatusOr<JobRestore>)>;

  CheckpointCoordinator(const JobId& job, JobTopology topology, const CheckpointSettings& settings,
                        const Environment& environment);
  CheckpointCoordinator(const CheckpointCoordinator&) = delete;
  CheckpointCoordinator& operator=(const CheckpointCoordinator&) = delete;
  ~CheckpointCoordinator();

  /// Makes the storage ready (when checkpoints are on) and, with a path, loads and verifies that
  /// checkpoint and assigns its state. `done` is called once, later; an error means that the job
  /// must not run.
  void start(const std::string& restore_path, bool allow_non_restored_state, OnRestore done);

  /// The task's state is RUNNING. Checkpoints begin when all tasks are RUNNING (or FINISHED).
  void taskRunning(const ExecutionRef& task);

  /// A hint: the task has seen the end of all its inputs and waits for a last checkpoint. When all
  /// running tasks have said so that checkpoint is taken at once, not after the interval.
  void taskReachedEnd(const ExecutionRef& task);

  /// The task's state is FINISHED. Checkpoints go on without it.
  void taskFinished(const ExecutionRef& task);

  void acknowledge(const ExecutionRef& task, int64_t checkpoint_id, TaskSnapshot snapshot);

  /// `reason` is a name of FailureReason, ": " and words, or only words (then CHECKPOINT_DECLINED).
  void decline(const ExecutionRef& task, int64_t checkpoint_id, std::string_view reason);

  /// The job has left RUNNING and its tasks are being cancelled: nothing is triggered any more and
  /// what is under way is aborted. Of the tasks reported from now on all must be of a new attempt;
  /// late acknowledgements of the old one do no harm. A checkpoint whose tasks have all
  /// acknowledged is still completed.
  void jobRestarting(const std::string& cause);

  /// Gives the state of the newest completed checkpoint, else what start() gave. `done` is called
  /// once, later: not before a checkpoint that is being completed counts.
  void restoreLatest(OnRestore done);

  /// The job has ended: aborts what is under way and deletes what the retention does not keep.
  /// `done` is called once, later, when the deletions are done. Nothing else may be called then.
  void jobTerminal(JobEnd end, std::function<void()> done);

  CheckpointCounts counts() const;

  /// The newest completed checkpoint of this job, or null.
  const StoredCheckpoint* latestCompleted() const;

 private:
  struct Pending {
    std::unique_ptr<PendingCheckpoint> checkpoint;
    uint64_t timeout_timer = 0;
    int64_t began_ms = 0;
  };

  int64_t nowMs() const { return environment_.clock.monotonicNs() / 1'000'000; }
  std::vector<ExecutionRef> stillRunning(const PendingCheckpoint& checkpoint) const;

  void startTicking();
  void stopTicking();
  void considerBeginning();
  void begin(CheckpointPlan plan);
  void onLocationReady(int64_t checkpoint_id, const absl::Status& status);

  void onTimeout(int64_t checkpoint_id);
  void completeNext();
  void onStored(int64_t checkpoint_id, absl::StatusOr<StoredCheckpoint> stored);
  void onCompleted(const Pending& pending, StoredCheckpoint stored);

  void abort(int64_t checkpoint_id, FailureReason reason, const std::string& message);
  void abortUnacknowledged(FailureReason reason, const std::string& message);
  bool isCompleting(int64_t checkpoint_id) const;

  void onStarted(absl::StatusOr<StoredCheckpoint> loaded, bool has_path, const OnRestore& done);
  absl::StatusOr<JobRestore> assignLatest();
  void serveRestores();
  void finishTerminal();

  const JobId job_;
  const JobTopology topology_;
  const CheckpointSettings settings_;
  const Environment environment_;
  const std::map<OperatorId, OperatorName> names_;

  TaskStates states_;
  std::optional<TriggerPolicy> trigger_;  // Empty when checkpoints are off.
  FailurePolicy failures_;
  CompletedCheckpointStore completed_;
  CheckpointCounts counts_;

  int64_t next_id_ = 1;
  std::map<int64_t, Pending> pending_;
  std::deque<int64_t> completing_;  // Fully acknowledged ones; the first is being stored.
  int64_t beginning_ = 0;           // The one whose location is being made ready; 0: none.
  uint64_t tick_timer_ = 0;
  int generation_ = 0;  // Grows when the job restarts or ends.

  bool allow_non_restored_state_ = false;
  int64_t told_restore_ = 0;  // The checkpoint of the newest restore that the log tells of.
  std::vector<std::vector<bool>> finished_on_restore_;
  std::vector<OnRestore> waiting_restores_;
  std::optional<JobEnd> end_;
  bool retention_applied_ = false;
  std::function<void()> on_terminal_done_;

  LoopScope scope_;  // What is under way ends before all above.
  CheckpointCleaner cleaner_;
};

}  // namespace wiesel::checkpoint
