#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpoint/restore/state_assignment.h"
#include "common/clock.h"
#include "common/event_loop.h"
#include "runtime/graph/execution_graph.h"
#include "runtime/jobmanager/checkpoint_service.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/scheduler/deployment.h"
#include "runtime/scheduler/job_failure.h"
#include "runtime/scheduler/job_status.h"
#include "runtime/scheduler/repeated_failures.h"
#include "runtime/scheduler/restart_strategy.h"
#include "runtime/scheduler/scheduler_state.h"
#include "runtime/scheduler/slot_pool.h"
#include "runtime/scheduler/slot_sharing.h"
#include "runtime/scheduler/worker_pool.h"

namespace wiesel::runtime {

struct SchedulerSettings {
  int64_t slot_request_timeout_ms = 300'000;
  int64_t cancellation_timeout_ms = 180'000;  // 0: never.
  int64_t cause_grace_ms = 2'000;  // How long a failed job waits for a worker's last words.
  int32_t exception_history_size = 16;
};

/// The timers of the scheduler's states; all are cancelled when the state changes.
enum class SchedulerTimer { kSlots, kSaysThatItWaits, kWorkers, kRestart, kCancellation, kCause };
constexpr size_t kNumSchedulerTimers = 6;

/// Takes one job from its first slot to its end. This class keeps what all states share and brings
/// it up to date; what to do next is decided by the current SchedulerState.
///
/// Borrows: the environment.
/// Threads: everything on the loop.
/// Flink:   DefaultScheduler with ExecutionFailureHandler (1.20). Differs: a failure restarts all
///          tasks (jobmanager.execution.failover-strategy: full).
class JobScheduler {
 public:
  struct Environment {
    EventLoop& loop;
    const Clock& clock;
    ExecutionGraph& graph;
    ResourceManager& resources;
    WorkerPool& workers;
    CheckpointService& checkpoints;
    RestartStrategy& restarts;
  };

  /// `on_terminal` is called once, when the job is over and its checkpoints are as they should be.
  JobScheduler(const Environment& environment, const SchedulerSettings& settings,
               std::function<void()> on_terminal);
  JobScheduler(const JobScheduler&) = delete;
  JobScheduler& operator=(const JobScheduler&) = delete;
  ~JobScheduler();

  // ---- Commands and events ----

  void start(checkpoint::JobRestore restore);
  void cancel() { state_->onCancel(); }
  /// The job as a whole failed with this message.
  void fail(const std::string& message, Recovery recovery);

  void onSlots(const std::vector<SlotOffer>& offers);
  void onSlotsLost(const std::string& task_manager_id);
  void onWorkerReady() { state_->onResourcesChanged(); }
  void onWorkerLost(const std::string& worker_id, const std::string& task_manager_id,
                    const std::string& cause, bool cause_known);
  void onWorkerCause(const std::string& worker_id, const std::string& cause);
  /// Ignored when it is about another attempt or comes from a worker that does not run the task.
  void onTaskState(const std::string& worker_id, const proto::TaskStateChanged& change);

  // ---- What it looks like ----

  JobStatus status() const { return status_; }
  const StatusTimestamps& statusEnteredMs() const { return status_entered_ms_; }
  const ExceptionHistory& history() const { return history_; }
  int32_t numRestarts() const { return graph().attempt(); }
  /// "waiting for 2 slots, 1 there" or "waiting for 1 worker processes to start"; else empty.
  std::string waitingText() const;

  // ---- For its states ----

  void goTo(std::unique_ptr<SchedulerState> next);
  LoopTimer& timer(SchedulerTimer which) { return *timers_[static_cast<size_t>(which)]; }
  const SchedulerSettings& settings() const { return settings_; }
  const std::string& jobId() const { return graph().jobGraph().job_id(); }
  const ExecutionGraph& graph() const { return environment_.graph; }
  WorkerPool& workers() { return environment_.workers; }
  CheckpointService& checkpoints() { return environment_.checkpoints; }
  const SlotPool& slots() const { return slots_; }
  ExceptionHistory& history() { return history_; }
  JobFailure newFailure(const std::string& message, Recovery recovery) const;

  /// Requires slots for all subtasks, which are SCHEDULED from now on.
  void schedule();
  void ensureWorkers();
  bool canDeploy() const;
  /// Requires canDeploy().
  void deploy();
  /// Asks the restart strategy and goes to Restarting or Failing.
  void handleFailure(const JobFailure& failure);
  /// Stops checkpoints and asks all tasks to end. Those that run nowhere are CANCELED at once.
  void cancelTasks(const std::string& cause);
  /// Kills the workers whose tasks have not ended.
  void killWorkersThatDoNotCancel();
  void restoreLatest();
  /// Requires all tasks to be terminal.
  void beginNextAttempt();
  /// Gives back slots and workers, and cleans up checkpoints; then the job is over.
  void end(JobStatus status);

 private:
  int64_t wallMs() const { return environment_.clock.wallMs(); }
  void setStatus(JobStatus status);
  void tellOfRestart(const JobFailure& failure, int64_t delay_ms);
  void onRestored(int32_t attempt, absl::StatusOr<checkpoint::JobRestore> restore);
  std::vector<Placement> placements() const;
  bool moveTask(SubtaskId id, const proto::TaskStateChanged& change);
  JobFailure failureOf(SubtaskId id, const proto::Failure& info) const;

  const Environment environment_;
  const SchedulerSettings settings_;
  const std::function<void()> on_terminal_;
  ScopedLoop loop_;
  const SlotPlan plan_;
  SlotPool slots_;
  ExceptionHistory history_;
  std::optional<checkpoint::JobRestore> restore_;  // What the next deployment starts from.
  int32_t num_restores_ = 0;                       // Tells a late answer of an earlier request.
  bool was_deployed_ = false;
  RepeatedFailures repeated_failures_;
  bool is_quiet_ = false;  // The newest failure was not worth a line, nor is what follows from it.

  JobStatus status_ = JobStatus::kInitializing;
  StatusTimestamps status_entered_ms_{};
  std::array<std::unique_ptr<LoopTimer>, kNumSchedulerTimers> timers_;
  std::unique_ptr<SchedulerState> state_;
  std::vector<std::unique_ptr<SchedulerState>> left_;  // Perhaps still running their last call.
};

}  // namespace wiesel::runtime
