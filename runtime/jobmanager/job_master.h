#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/storage/checkpoint_storage.h"
#include "common/clock.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "common/random.h"
#include "runtime/graph/execution_graph.h"
#include "runtime/jobmanager/checkpoint_service.h"
#include "runtime/jobmanager/job_view.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/scheduler/job_scheduler.h"
#include "runtime/scheduler/restart_strategy.h"
#include "runtime/scheduler/worker_pool.h"

namespace wiesel::runtime {

/// A job as a client hands it in.
struct JobSubmission {
  proto::JobGraph graph;
  std::string binary_hash;  // What its workers are started from; empty in an embedded cluster.
  std::string binary_path;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

struct JobMasterSettings {
  SchedulerSettings scheduler;
  WorkerSettings workers;
};

/// Makes the place of a job's checkpoints, as its CheckpointSettings say.
using CheckpointStorageFactory =
    std::function<std::shared_ptr<checkpoint::CheckpointStorage>(const proto::JobGraph& graph)>;

/// What a JobMaster lives in.
struct JobMasterEnvironment {
  EventLoop& loop;
  const Clock& clock;
  Executor& io;  // File work of checkpoints.
  RandomSource& random;
  ResourceManager& resources;
  CheckpointStorageFactory storage_factory;
};

/// One job: its execution graph, scheduler, workers and checkpoints. It only passes on what comes
/// in; scheduler/job_scheduler decides.
///
/// Borrows: the environment.
/// Threads: everything on the loop, the constructor and destructor too.
/// Flink:   JobMaster (1.20).
class JobMaster final : private SlotHolder, private WorkerListener {
 public:
  /// InvalidArgument when the graph or a setting of it is wrong. slot.request.timeout and
  /// task.cancellation.timeout in the job's configuration win over `defaults`.
  static absl::StatusOr<std::unique_ptr<JobMaster>> create(const JobMasterEnvironment& environment,
                                                           const JobMasterSettings& defaults,
                                                           JobSubmission submission);
  JobMaster(const JobMaster&) = delete;
  JobMaster& operator=(const JobMaster&) = delete;
  ~JobMaster() override;  // A job that is not over leaves its checkpoints as they are.

  /// Makes the checkpoint storage ready and loads what the job starts from. `done` is called once,
  /// later; after an error the job must not be run.
  void initialize(std::function<void(absl::Status)> done);

  /// Runs the job to its end. `on_terminal` is called once, later; the JobMaster may be destroyed
  /// after, but not inside, that call. Requires that initialize() is done.
  void run(std::function<void()> on_terminal);

  /// Ignored when the job is failing or over.
  void cancel();

  void acceptWorker(const proto::RegisterWorker& registration,
                    std::shared_ptr<WorkerConnection> worker);

  const std::string& id() const { return graph_->jobGraph().job_id(); }
  JobStatus status() const { return scheduler_->status(); }
  JobView view() const;

 private:
  JobMaster(const JobMasterEnvironment& environment, const JobMasterSettings& settings,
            std::unique_ptr<ExecutionGraph> graph, std::unique_ptr<RestartStrategy> restarts,
            const checkpoint::CheckpointSettings& checkpointing, JobSubmission submission);

  // SlotHolder
  void onSlots(const std::vector<SlotOffer>& slots) override;
  void onTaskManagerLost(const std::string& task_manager_id, const std::string& cause) override;
  void onWorkerExited(const std::string& worker_id, const std::string& cause) override;
  // WorkerListener
  void onWorkerReady(const std::string& worker_id) override;
  void onWorkerMessage(const std::string& worker_id, const proto::WorkerToMaster& message) override;
  void onGraphError(const std::string& worker_id, const std::string& what_differs) override;
  void onWorkerLost(const std::string& worker_id, const std::string& task_manager_id,
                    const std::string& cause, bool cause_known) override;
  void onWorkerCause(const std::string& worker_id, const std::string& cause) override;

  VertexView viewOf(const ExecutionVertex& vertex) const;
  FailureView viewOf(const JobFailure& failure) const;
  ExceptionView viewOf(const ExceptionEntry& entry) const;
  std::string hostOf(const std::string& task_manager_id) const;

  const JobMasterEnvironment environment_;
  ScopedLoop loop_;
  const std::shared_ptr<const proto::JobGraph> shared_graph_;  // For views.
  const std::unique_ptr<ExecutionGraph> graph_;
  const std::unique_ptr<RestartStrategy> restarts_;
  std::function<void()> on_terminal_;
  checkpoint::JobRestore first_restore_;
  bool cancel_asked_ = false;
  bool running_ = false;

  WorkerPool workers_;
  CheckpointService checkpoints_;
  std::unique_ptr<JobScheduler> scheduler_;
};

}  // namespace wiesel::runtime
