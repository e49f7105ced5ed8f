#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "common/counting_executor.h"
#include "common/event_loop.h"
#include "runtime/network/data_transport.h"
#include "runtime/proto/control.pb.h"
#include "runtime/rpc/message_link.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/task/stream_task.h"
#include "runtime/task/task_spec.h"
#include "runtime/worker/channel_registry.h"
#include "runtime/worker/task_runner.h"

namespace wiesel::runtime {

/// Who a worker is.
struct WorkerIdentity {
  std::string job_id;
  std::string worker_id;
  std::string task_manager_id;
};

/// What a worker works with. Everything outlives the executor.
struct WorkerServices {
  EventLoop& loop;  // The executor's own.
  DataTransport& transport;
  TaskRunner& runner;
  TaskEnvironment tasks;  // Without the two snapshot stores, which depend on the job.
  int64_t heartbeat_interval_ms = 10'000;
};

/// A worker of one job: registers with the JobManager, does what it says, and tells it how the
/// tasks fare. The same in a worker process, in an embedded cluster and in a simulation.
///
/// Threads: everything on the loop; tasks call the listener from theirs.
/// Flink:   TaskExecutor (1.20), here for one job.
class TaskExecutor final : private TaskListener {
 public:
  using Link = MessageLink<proto::WorkerToMaster, proto::MasterToWorker>;
  using OnEnd = std::function<void(const std::string& why, bool asked)>;

  /// `plan` is what main() built. `on_end` is called once, on the loop, when the worker is not
  /// needed any more (`asked`) or has lost its JobManager, with the reason; no task runs then.
  /// Uploads of snapshots may still run: see isOver().
  TaskExecutor(const JobPlan& plan, WorkerIdentity identity, WorkerServices services,
               std::unique_ptr<Link> link, OnEnd on_end);
  TaskExecutor(const TaskExecutor&) = delete;
  TaskExecutor& operator=(const TaskExecutor&) = delete;

  void start();

  /// Cancels all tasks, and calls `on_end` when the last is over. On the loop; idempotent.
  void end(const std::string& why);

  /// True when `on_end` has been called and no upload runs either: only then, or when the io
  /// executor has stopped, may this object go. On the loop.
  bool isOver() const { return !on_end_ && uploads_.isIdle(); }

 private:
  using TaskKey = std::tuple<std::string, int, int>;  // Vertex, subtask, attempt.

  void onMessage(proto::MasterToWorker message);
  void onJob(const proto::JobGraph& job);
  void deploy(const proto::DeployTasks& request);
  void deployTask(const proto::TaskDeployment& task, const std::set<ChannelAddress>& local_inputs);
  TaskSpec specOf(const proto::TaskDeployment& task, const VertexPlan& vertex,
                  const std::set<ChannelAddress>& local_inputs);
  TaskInput inputOf(const proto::InputChannel& input, const proto::TaskDeployment& task);
  const BatchType& typeOf(const ChannelAddress& channel) const;
  /// The task could not be started.
  void refuse(const proto::TaskDeployment& task, const absl::Status& reason);
  proto::Failure failureOf(const proto::TaskRef& task, std::string message) const;
  void onChannelLost(const proto::TaskRef& task, const std::string& worker_id,
                     const std::string& why);
  void endWhenIdle();
  void beat();

  void forEach(const google::protobuf::RepeatedPtrField<proto::TaskRef>& refs,
               const std::function<void(StreamTask&)>& call);

  void taskStateChanged(const proto::TaskRef& task, proto::TaskState state,
                        const proto::Failure* failure) override;
  void taskReachedEndOfData(const proto::TaskRef& task) override;
  void acknowledgeCheckpoint(proto::AcknowledgeCheckpoint acknowledgement) override;
  void declineCheckpoint(const proto::TaskRef& task, int64_t checkpoint_id,
                         const std::string& reason) override;

  const JobPlan& plan_;
  const WorkerIdentity identity_;
  WorkerServices services_;
  ScopedLoop loop_;
  TaskEnvironment environment_;
  CountingExecutor uploads_;
  const std::unique_ptr<Link> link_;
  OnEnd on_end_;

  proto::JobGraph job_;  // As the JobManager has it.
  bool has_job_ = false;
  std::string checkpoint_directory_;
  ChannelRegistry channels_;
  std::map<TaskKey, std::shared_ptr<StreamTask>> tasks_;  // Shared with the runner.
  int newest_attempt_ = -1;
  bool ending_ = false;
  bool lost_master_ = false;
  std::string end_reason_;
};

}  // namespace wiesel::runtime
