#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/simulation/simulated_world.h"
#include "runtime/jobmanager/dispatcher.h"
#include "runtime/jobmanager/job_manager_settings.h"
#include "runtime/proto/control.pb.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rpc/in_memory_link.h"

namespace wiesel::runtime::testing {

class FakeCluster;
class FakeTaskManager;

/// How the fake workers behave; read when something happens, so that a test can change it on the
/// way.
struct WorkerScript {
  int64_t start_ms = 5;       // From StartWorker to the connection; -1: it never connects.
  int64_t initialize_ms = 1;  // From the deployment to RUNNING.
  int64_t run_ms = 50;        // From RUNNING to FINISHED; -1: until it is cancelled.
  int64_t cancel_ms = 1;      // From CancelTasks to CANCELED; -1: never.
  bool acknowledges = true;   // Answers checkpoints, for all tasks of the job.
  bool beats = true;          // Answers heartbeats.
  std::string graph_error;
};

/// A worker process whose tasks do nothing but report states.
class FakeWorker {
 public:
  FakeWorker(FakeCluster& cluster, FakeTaskManager& owner, const proto::StartWorker& start);

  const std::string& id() const { return start_.worker_id(); }
  const std::string& jobId() const { return start_.job_id(); }
  FakeTaskManager& owner() const { return owner_; }
  const proto::StartWorker& start() const { return start_; }
  bool isAlive() const { return alive_; }
  bool hasTasks() const { return !tasks_.empty(); }

  /// Reports for a task that it has.
  void fail(const proto::TaskRef& task, const std::string& message,
            const std::string& operator_name = {});
  void fail(const proto::TaskRef& task, const proto::Failure& failure);
  void report(const proto::TaskRef& task, ExecutionState state);
  void send(proto::WorkerToMaster message);
  void acknowledge(int64_t checkpoint_id);

  /// Ends the process without a word. The connection breaks.
  void die(const std::string& why);
  void breakConnection(const std::string& why) { break_link_(why); }

 private:
  struct Task {
    proto::TaskRef ref;
    bool running = false;
  };

  void onMessage(const proto::MasterToWorker& message);
  void onDeploy(const proto::DeployTasks& deploy);
  void onCancel(const proto::CancelTasks& cancel);
  Task* find(const proto::TaskRef& ref);
  void after(int64_t delay_ms, const proto::TaskRef& ref, ExecutionState state);
  void forget(const proto::TaskRef& ref);

  FakeCluster& cluster_;
  FakeTaskManager& owner_;
  const proto::StartWorker start_;
  const SimulatedWorld::ProcessId process_;
  EventLoop& loop_;
  bool alive_ = true;
  std::vector<Task> tasks_;
  std::unique_ptr<MessageLink<proto::WorkerToMaster, proto::MasterToWorker>> link_;
  std::function<void(std::string)> break_link_;
};

/// A TaskManager process that starts fake workers.
class FakeTaskManager {
 public:
  FakeTaskManager(FakeCluster& cluster, std::string id, int32_t slots);

  const std::string& id() const { return id_; }
  bool isAlive() const { return alive_; }
  bool isRegistered() const { return registered_; }
  const std::string& refused() const { return refused_; }
  void setBeats(bool beats) { beats_ = beats; }

  /// The process and its workers end.
  void die(const std::string& why);
  /// Tells the JobManager, after a while, that the worker has ended.
  void reportExit(const FakeWorker& worker, const std::string& cause, int64_t delay_ms);
  void send(proto::TaskManagerToMaster message) { link_->send(std::move(message)); }

 private:
  void onMessage(const proto::MasterToTaskManager& message);

  FakeCluster& cluster_;
  const std::string id_;
  const SimulatedWorld::ProcessId process_;
  EventLoop& loop_;
  bool alive_ = true;
  bool registered_ = false;
  bool beats_ = true;
  std::string refused_;
  std::unique_ptr<MessageLink<proto::TaskManagerToMaster, proto::MasterToTaskManager>> link_;
  std::function<void(std::string)> break_link_;
};

struct FakeClusterOptions {
  uint64_t seed = 1;
  int64_t max_link_delay_ms = 0;
  JobManagerSettings settings;
};

/// A JobManager's dispatcher and resource manager, as they are, with fake TaskManagers and workers,
/// in virtual time.
class FakeCluster {
 public:
  explicit FakeCluster(FakeClusterOptions options = {});
  ~FakeCluster();

  FakeTaskManager& addTaskManager(const std::string& id, int32_t slots);
  FakeTaskManager& taskManager(const std::string& id);  // The newest with this id.

  /// Submits and waits until it is accepted or refused.
  absl::Status submit(const proto::JobGraph& graph);
  JobView view(const std::string& job_id);
  JobStatus status(const std::string& job_id) { return view(job_id).status; }
  /// False when the job does not get there within the time.
  bool runUntilStatus(const std::string& job_id, JobStatus status, int64_t max_ms = 60'000);
  bool runUntilTasks(const std::string& job_id, ExecutionState state, int64_t max_ms = 60'000);
  bool runUntil(const std::function<bool()>& predicate, int64_t max_ms = 60'000) {
    return world.runUntil(predicate, max_ms);
  }

  /// The living worker of the TaskManager, or null.
  FakeWorker* workerOn(const std::string& task_manager_id);
  std::vector<FakeWorker*> livingWorkers();
  /// Kills a worker as a signal does: its connection breaks, its TaskManager says why.
  void crash(FakeWorker& worker, const std::string& cause, int64_t report_delay_ms = 2);

  /// The dispatcher ends, as when the JobManager is stopped.
  void shutDown() { dispatcher_.reset(); }

  /// The deployments of an attempt, in the order in which they arrived.
  std::vector<std::pair<FakeWorker*, proto::TaskDeployment>> deploymentsOf(int32_t attempt) const;

  SimulatedWorld world;
  WorkerScript script;
  InMemoryFileSystem files;
  std::vector<proto::NotifyCheckpoint> notifications;  // As workers got them.
  std::vector<std::pair<FakeWorker*, proto::TaskDeployment>> deployments;
  std::vector<int64_t> triggered;  // Checkpoints that sources were asked for.

 private:
  friend class FakeWorker;
  friend class FakeTaskManager;

  LinkDelay linkDelay();
  void onTrigger(const FakeWorker& worker, int64_t checkpoint_id);

  const FakeClusterOptions options_;
  const SimulatedWorld::ProcessId master_;
  EventLoop& master_loop_;
  std::unique_ptr<ResourceManager> resources_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::unique_ptr<FakeTaskManager>> task_managers_;
  std::vector<std::unique_ptr<FakeWorker>> workers_;

 public:
  ResourceManager& resources() { return *resources_; }
  Dispatcher& dispatcher() { return *dispatcher_; }
};

/// A source and a sink with an all-to-all edge between them, no restarts, no checkpoints.
proto::JobGraph twoVertexJob(int32_t parallelism, uint64_t number = 1);

/// Adds fixed-delay restarts.
proto::JobGraph withFixedDelay(proto::JobGraph graph, int32_t attempts, int64_t delay_ms);

/// Adds checkpoints below /checkpoints.
proto::JobGraph withCheckpoints(proto::JobGraph graph, int64_t interval_ms,
                                const std::string& retention);

}  // namespace wiesel::runtime::testing
