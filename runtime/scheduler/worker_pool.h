#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/event_loop.h"
#include "common/random.h"
#include "runtime/proto/control.pb.h"
#include "runtime/resource/heartbeat_monitor.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/scheduler/worker_connection.h"

namespace wiesel::runtime {

/// What a job hears of its workers. Called on the loop.
class WorkerListener {
 public:
  virtual ~WorkerListener() = default;

  /// The worker has registered and was sent the job graph.
  virtual void onWorkerReady(const std::string& worker_id) = 0;
  /// A message of a ready worker, other than heartbeats.
  virtual void onWorkerMessage(const std::string& worker_id,
                               const proto::WorkerToMaster& message) = 0;
  /// The program built another graph in the worker than in the client. onWorkerLost() follows.
  virtual void onGraphError(const std::string& worker_id, const std::string& what_differs) = 0;
  /// The worker is gone, with all its tasks. `cause_known` is false when the reason may still come,
  /// by onWorkerCause().
  virtual void onWorkerLost(const std::string& worker_id, const std::string& task_manager_id,
                            const std::string& cause, bool cause_known) = 0;
  /// Why a lost worker ended.
  virtual void onWorkerCause(const std::string& worker_id, const std::string& cause) = 0;
};

struct WorkerSettings {
  int64_t heartbeat_interval_ms = 10'000;
  int64_t heartbeat_timeout_ms = 50'000;
  /// How long a TaskManager may take to say why a worker ended whose connection closed; after that
  /// the worker is killed, in case it only lost its connection.
  int64_t cause_grace_ms = 1'000;
  /// How long a worker may take to end when the job is over.
  int64_t shutdown_grace_ms = 5'000;
};

/// The worker processes of one job, at most one on each TaskManager: starts them, keeps their
/// connections, notices their end. A worker that is well stays over restarts of the job.
///
/// Borrows: everything in the constructor but `start`, which is what each worker is started with.
/// Threads: everything on the loop.
class WorkerPool {
 public:
  WorkerPool(EventLoop& loop, const Clock& clock, RandomSource& random, ResourceManager& resources,
             WorkerListener& listener, WorkerSettings settings, const proto::JobGraph& graph,
             proto::StartWorker start);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();  // As shutDown().

  /// Starts a worker on the TaskManager unless there is one. `slots` is its share of the memory.
  void ensureWorker(const std::string& task_manager_id, int32_t slots);

  /// Takes over the connection of a worker that has said who it is. One that is not expected is
  /// told to end.
  void accept(const proto::RegisterWorker& registration, std::shared_ptr<WorkerConnection> worker);

  void onTaskManagerLost(const std::string& task_manager_id, const std::string& cause);
  void onWorkerExited(const std::string& worker_id, const std::string& cause);

  /// Ends the worker at once; reported as lost because of `cause`.
  void kill(const std::string& worker_id, const std::string& cause);
  /// Ends those that have not registered yet.
  void killStarting(const std::string& cause);
  /// The job is over: asks all to end, reports nothing any more.
  void shutDown(const std::string& why);

  struct Worker {
    std::string id;
    std::string task_manager_id;
    std::string data_address;
    bool ready = false;
    std::shared_ptr<WorkerConnection> connection;  // Null until it is ready.
  };

  /// The ready worker on the TaskManager, or null.
  const Worker* readyOn(const std::string& task_manager_id) const;
  /// Null when it is not (any more) there.
  const Worker* find(const std::string& worker_id) const;
  /// Dropped when the worker is gone.
  void send(const std::string& worker_id, proto::MasterToWorker message);

 private:
  struct Lost {
    std::string task_manager_id;
  };

  void onMessage(const std::string& worker_id, const proto::WorkerToMaster& message);
  void onGraphError(const std::string& worker_id, const std::string& what_differs);
  void onClosed(const std::string& worker_id, const std::string& why);
  void remove(const std::string& worker_id, const std::string& cause);
  void learnCause(const std::string& worker_id, const std::string& cause);
  std::string describe(const std::string& cause, const std::string& task_manager_id) const;
  void beat();

  ScopedLoop loop_;
  const Clock& clock_;
  RandomSource& random_;
  ResourceManager& resources_;
  WorkerListener& listener_;
  const WorkerSettings settings_;
  const proto::JobGraph& graph_;
  const proto::StartWorker start_;

  std::map<std::string, Worker> workers_;
  std::map<std::string, Lost> lost_;  // Closed, their cause still awaited.
  HeartbeatMonitor heartbeats_;
};

}  // namespace wiesel::runtime
