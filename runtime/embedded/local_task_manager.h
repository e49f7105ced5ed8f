#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/event_loop.h"
#include "runtime/graph/job_plan.h"
#include "runtime/proto/control.pb.h"
#include "runtime/rpc/message_link.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/worker/task_executor.h"

namespace wiesel::runtime {

/// A TaskManager without processes: its workers are objects of this one. It serves the embedded
/// cluster and the simulation.
///
/// Bounds:  of the workers that have ended, those whose tasks or uploads have not are kept.
/// Threads: everything on the loop, which is also that of its workers. Destroyed after the io
///          executor of its workers has stopped.
/// Flink:   what MiniCluster does with TaskExecutors (1.20).
class LocalTaskManager {
 public:
  using Link = MessageLink<proto::TaskManagerToMaster, proto::MasterToTaskManager>;
  /// Connects a new worker to the JobManager.
  using ConnectWorker = std::function<std::unique_ptr<TaskExecutor::Link>()>;
  /// What a new worker works with.
  using MakeServices = std::function<WorkerServices()>;

  /// `plan` is the program of every job that is run here; it must outlive this object.
  LocalTaskManager(EventLoop& loop, const JobPlan& plan, std::string id, int slots,
                   std::unique_ptr<Link> link, ConnectWorker connect_worker,
                   MakeServices make_services);
  LocalTaskManager(const LocalTaskManager&) = delete;
  LocalTaskManager& operator=(const LocalTaskManager&) = delete;

  void start();

 private:
  void onMessage(const proto::MasterToTaskManager& message);
  void startWorker(const proto::StartWorker& request);
  void stopWorker(const std::string& worker_id);
  void beat(int64_t interval_ms);

  ScopedLoop loop_;
  const JobPlan& plan_;
  const std::string id_;
  const int slots_;
  const std::unique_ptr<Link> link_;
  const ConnectWorker connect_worker_;
  const MakeServices make_services_;
  std::map<std::string, std::unique_ptr<TaskExecutor>> workers_;  // By worker id.
  /// Workers that end. They are kept until their tasks and uploads are over, and go when the next
  /// worker comes.
  std::vector<std::unique_ptr<TaskExecutor>> retired_;
};

}  // namespace wiesel::runtime
