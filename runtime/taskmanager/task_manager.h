#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/rpc/grpc_client_link.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/taskmanager/task_manager_settings.h"
#include "runtime/taskmanager/worker_supervisor.h"

namespace wiesel::runtime {

/// What a TaskManager tells its process. Called on the loop.
class TaskManagerListener {
 public:
  virtual ~TaskManagerListener() = default;

  /// The JobManager has taken it in: the first time, or again after its connection was lost.
  virtual void onRegistered() = 0;
  /// The JobManager cannot be reached, which is tried again. Once for each time that it was lost.
  virtual void onWaitingForJobManager(const std::string& why) = 0;
  /// It can do nothing more: it was refused, or has found no JobManager for too long.
  virtual void onFatal(const std::string& why) = 0;
};

/// A TaskManager: offers slots to the JobManager and runs a worker process for each job that gets
/// some. Tasks, their data and their checkpoints are between the workers and the JobManager.
///
/// When the connection to the JobManager is lost, all workers are stopped, and the TaskManager
/// registers again as soon as it can.
///
/// Borrows: everything in `Parts`.
/// Threads: belongs to the loop: created, called and destroyed there, or after it has stopped.
/// Flink:   TaskExecutor (1.20), without the tasks.
class TaskManager {
 public:
  struct Parts {
    EventLoop& loop;
    const Clock& clock;
    Executor& disk_work;  // Fetches binaries and removes folders.
    BlobStore& blobs;
    TaskManagerListener& listener;
  };

  TaskManager(const Parts& parts, TaskManagerSettings settings);
  TaskManager(const TaskManager&) = delete;
  TaskManager& operator=(const TaskManager&) = delete;
  ~TaskManager();  // Kills the workers.

  void start() { connect(); }

  size_t numWorkers() const { return workers_.size(); }

 private:
  /// A worker that was asked for: it may not run yet, since its binary is being fetched.
  struct Worker {
    std::string job_id;
    std::string directory;
  };

  void connect();
  void onMessage(const proto::MasterToTaskManager& message);
  void onRegistered(const proto::TaskManagerRegistered& registered);
  void onConnectionLost(const std::string& why);
  void watchHeartbeats();
  void startWorker(const proto::StartWorker& message);
  void launch(const proto::StartWorker& message, const absl::StatusOr<std::string>& binary);
  WorkerCommand commandFor(const proto::StartWorker& message, const std::string& binary) const;
  void stopWorker(const std::string& worker_id);
  void reportExit(const std::string& worker_id, const std::string& cause);
  void forget(const std::string& worker_id);
  int64_t nowMs() const { return parts_.clock.monotonicNs() / 1'000'000; }

  const Parts parts_;
  const TaskManagerSettings settings_;
  ScopedLoop loop_;
  LoopTimer heartbeat_timer_;
  LoopTimer reconnect_timer_;
  std::unique_ptr<TaskManagerToMasterLink> link_;
  std::map<std::string, Worker> workers_;
  WorkerSupervisor supervisor_;

  int64_t heard_ms_ = 0;  // From the JobManager.
  int64_t heartbeat_timeout_ms_ = 0;
  int64_t alone_since_ms_ = 0;      // Without a registration.
  int64_t reconnect_delay_ms_ = 0;  // Before the next attempt to connect.
  bool registered_ = false;
  bool told_waiting_ = false;
};

}  // namespace wiesel::runtime
