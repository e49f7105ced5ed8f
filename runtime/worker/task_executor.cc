#include "runtime/worker/task_executor.h"

#include <limits>
#include <utility>

#include "absl/strings/str_format.h"
#include "checkpoint/storage/file_snapshot_store.h"
#include "checkpoint/storage/memory_snapshot_store.h"
#include "common/log.h"
#include "runtime/worker/deployment_check.h"
#include "runtime/worker/graph_difference.h"

namespace wiesel::runtime {
namespace {

/// A consumer whose producer's worker vanished waits this long before it fails by itself: the
/// JobManager, which knows the cause, acts first.
constexpr int64_t kLostChannelGraceMs = 3'000;

ChannelAddress addressOf(const proto::ChannelId& id) {
  return {id.vertex_id(), id.output_index(), id.subtask(), id.attempt(), id.subpartition()};
}

/// A channel whose producer had finished before the restored checkpoint: nothing but its end.
std::shared_ptr<ChannelQueue> endedChannel() {
  auto queue = std::make_shared<ChannelQueue>();
  queue->push(StreamElement::watermark(std::numeric_limits<int64_t>::max()));
  queue->push(StreamElement::endOfData());
  queue->push(StreamElement::endOfPartition());
  return queue;
}

}  // namespace

TaskExecutor::TaskExecutor(const JobPlan& plan, WorkerIdentity identity, WorkerServices services,
                           std::unique_ptr<Link> link, OnEnd on_end)
    : plan_(plan),
      identity_(std::move(identity)),
      services_(std::move(services)),
      loop_(services_.loop),
      environment_(services_.tasks),
      uploads_(*services_.tasks.io),
      link_(std::move(link)),
      on_end_(std::move(on_end)) {
  environment_.io = &uploads_;
  environment_.snapshot_store =
      [this](int64_t checkpoint_id) -> std::unique_ptr<state::SnapshotStore> {
    if (checkpoint_directory_.empty()) {
      return std::make_unique<checkpoint::MemorySnapshotStore>(*environment_.files,
                                                               *environment_.random, "");
    }
    return std::make_unique<checkpoint::FileSnapshotStore>(
        *environment_.files, *environment_.random,
        checkpoint::checkpointDirectory(checkpoint_directory_, checkpoint_id),
        job_.checkpointing().inline_threshold_bytes());
  };
  environment_.restore_store =
      [this](const std::string& directory) -> std::unique_ptr<state::SnapshotStore> {
    return std::make_unique<checkpoint::FileSnapshotStore>(*environment_.files,
                                                           *environment_.random, directory, 0);
  };
}

void TaskExecutor::start() {
  link_->start(
      loop_.guard([this](proto::MasterToWorker message) { onMessage(std::move(message)); }),
      loop_.guard([this](const std::string& why) {
        lost_master_ = !ending_;
        end(absl::StrFormat("lost the JobManager: %s", why));
      }));
  proto::WorkerToMaster message;
  proto::RegisterWorker& registration = *message.mutable_register_();
  registration.set_job_id(identity_.job_id);
  registration.set_worker_id(identity_.worker_id);
  registration.set_task_manager_id(identity_.task_manager_id);
  registration.set_data_address(services_.transport.address());
  link_->send(std::move(message));
  beat();
}

void TaskExecutor::beat() {
  if (ending_) return;
  proto::WorkerToMaster message;
  message.mutable_heartbeat();
  link_->send(std::move(message));
  loop_.postAfter(services_.heartbeat_interval_ms, [this] { beat(); });
}

void TaskExecutor::onMessage(proto::MasterToWorker message) {
  switch (message.message_case()) {
    case proto::MasterToWorker::kJob:
      return onJob(message.job());
    case proto::MasterToWorker::kDeploy:
      return deploy(message.deploy());
    case proto::MasterToWorker::kCancel:
      return forEach(message.cancel().tasks(), [](StreamTask& task) { task.cancel(); });
    case proto::MasterToWorker::kTrigger: {
      const proto::TriggerCheckpoint& trigger = message.trigger();
      return forEach(trigger.tasks(), [&trigger](StreamTask& task) {
        task.triggerCheckpoint(trigger.checkpoint_id(), trigger.timestamp_ms());
      });
    }
    case proto::MasterToWorker::kNotify: {
      const proto::NotifyCheckpoint& notify = message.notify();
      return forEach(notify.tasks(), [&notify](StreamTask& task) {
        task.notifyCheckpoint(notify.checkpoint_id(), notify.completed());
      });
    }
    case proto::MasterToWorker::kShutdown:
      return end(message.shutdown());
    case proto::MasterToWorker::kHeartbeat:
    case proto::MasterToWorker::MESSAGE_NOT_SET:
      return;
  }
}

void TaskExecutor::onJob(const proto::JobGraph& job) {
  job_ = job;
  const std::string difference = graphDifference(job, plan_.graph);
  has_job_ = difference.empty();
  if (has_job_) return;
  proto::WorkerToMaster message;
  proto::RegisterWorker& registration = *message.mutable_register_();
  registration.set_job_id(identity_.job_id);
  registration.set_worker_id(identity_.worker_id);
  registration.set_task_manager_id(identity_.task_manager_id);
  registration.set_graph_error(difference);
  link_->send(std::move(message));
}

void TaskExecutor::deploy(const proto::DeployTasks& request) {
  if (!has_job_ || ending_) return;
  // It is the same for all attempts; uploads of an earlier one may be reading it.
  if (checkpoint_directory_ != request.checkpoint_directory()) {
    checkpoint_directory_ = request.checkpoint_directory();
  }
  std::set<ChannelAddress> local_inputs;
  for (const proto::TaskDeployment& task : request.tasks()) {
    if (task.attempt() > newest_attempt_) {
      services_.transport.releaseAttempt(newest_attempt_);
      channels_.releaseUpTo(newest_attempt_);
      newest_attempt_ = task.attempt();
    }
    for (const proto::InputChannel& input : task.inputs()) {
      if (input.worker_id() == identity_.worker_id) local_inputs.insert(addressOf(input.channel()));
    }
  }
  for (const proto::TaskDeployment& task : request.tasks()) deployTask(task, local_inputs);
}

void TaskExecutor::deployTask(const proto::TaskDeployment& task,
                              const std::set<ChannelAddress>& local_inputs) {
  const TaskKey key{task.vertex_id(), task.subtask(), task.attempt()};
  if (tasks_.contains(key)) return;  // Said twice.
  if (const absl::Status sound = checkDeployment(task, plan_); !sound.ok()) {
    return refuse(task, sound);
  }
  const VertexPlan& vertex = *plan_.findVertex(task.vertex_id());
  auto stream_task = std::make_shared<StreamTask>(specOf(task, vertex, local_inputs), environment_,
                                                  static_cast<TaskListener&>(*this));
  tasks_[key] = stream_task;
  auto on_done = loop_.guard([this, key] {
    tasks_.erase(key);
    if (ending_) endWhenIdle();
  });
  const absl::Status started = services_.runner.run(
      std::move(stream_task), [on_done, &loop = services_.loop] { loop.post(on_done); });
  if (started.ok()) return;
  tasks_.erase(key);
  refuse(task, started);
}

void TaskExecutor::refuse(const proto::TaskDeployment& task, const absl::Status& reason) {
  proto::TaskRef ref;
  ref.set_vertex_id(task.vertex_id());
  ref.set_subtask(task.subtask());
  ref.set_attempt(task.attempt());
  const proto::Failure failure = failureOf(ref, std::string(reason.message()));
  taskStateChanged(ref, proto::FAILED, &failure);
}

proto::Failure TaskExecutor::failureOf(const proto::TaskRef& task, std::string message) const {
  proto::Failure failure;
  failure.set_message(std::move(message));
  failure.set_subtask(task.subtask());
  if (const VertexPlan* vertex = plan_.findVertex(task.vertex_id())) {
    failure.set_parallelism(vertex->parallelism);
    failure.set_operator_name(vertex->name);
  }
  return failure;
}

TaskSpec TaskExecutor::specOf(const proto::TaskDeployment& task, const VertexPlan& vertex,
                              const std::set<ChannelAddress>& local_inputs) {
  TaskSpec spec;
  spec.ref.set_vertex_id(task.vertex_id());
  spec.ref.set_subtask(task.subtask());
  spec.ref.set_attempt(task.attempt());
  spec.plan = &plan_;
  spec.vertex = &vertex;
  spec.job_id = identity_.job_id;
  for (const proto::InputChannel& input : task.inputs())
    spec.inputs.push_back(inputOf(input, task));
  spec.outputs.resize(vertex.outputs.size());
  for (const proto::OutputPartition& output : task.outputs()) {
    TaskOutput& target = spec.outputs[output.output_index()];
    for (int i = 0; i < output.subpartitions(); ++i) {
      const ChannelAddress address{task.vertex_id(), output.output_index(), task.subtask(),
                                   task.attempt(), i};
      target.channels.push_back(channels_.findOrMake(address));
      if (!local_inputs.contains(address)) {
        services_.transport.publish(address, target.channels.back());
      }
    }
  }
  spec.restore.assign(task.restore().begin(), task.restore().end());
  spec.restored_checkpoint = task.restored_checkpoint();
  spec.restore_directory = task.restore_directory();
  spec.finished_on_restore = task.finished_on_restore();
  return spec;
}

TaskInput TaskExecutor::inputOf(const proto::InputChannel& input,
                                const proto::TaskDeployment& task) {
  if (input.finished()) return {input.input_index(), endedChannel()};
  const ChannelAddress address = addressOf(input.channel());
  if (input.worker_id() == identity_.worker_id) {
    return {input.input_index(), channels_.findOrMake(address)};
  }
  auto queue = std::make_shared<ChannelQueue>();
  proto::TaskRef ref;
  ref.set_vertex_id(task.vertex_id());
  ref.set_subtask(task.subtask());
  ref.set_attempt(task.attempt());
  auto on_lost = loop_.guard([this, ref, worker = input.worker_id()](const std::string& why) {
    onChannelLost(ref, worker, why);
  });
  services_.transport.subscribe(address, input.data_address(), queue, typeOf(address),
                                [on_lost, &loop = services_.loop](const std::string& why) {
                                  loop.postAfter(kLostChannelGraceMs,
                                                 [on_lost, why] { on_lost(why); });
                                });
  return {input.input_index(), std::move(queue)};
}

const BatchType& TaskExecutor::typeOf(const ChannelAddress& channel) const {
  return *plan_.findVertex(channel.vertex_id)->outputs[channel.output_index].edge.type;
}

void TaskExecutor::onChannelLost(const proto::TaskRef& task, const std::string& worker_id,
                                 const std::string& why) {
  const auto found = tasks_.find({task.vertex_id(), task.subtask(), task.attempt()});
  if (found == tasks_.end()) return;
  proto::Failure failure =
      failureOf(task, absl::StrFormat("lost the data connection to worker %s: %s", worker_id, why));
  failure.set_lost_worker_id(worker_id);
  found->second->fail(std::move(failure));
}

void TaskExecutor::end(const std::string& why) {
  if (ending_) return;
  ending_ = true;
  end_reason_ = why;
  for (const auto& [key, task] : tasks_) task->cancel();
  endWhenIdle();
}

void TaskExecutor::endWhenIdle() {
  if (!tasks_.empty() || !on_end_) return;
  link_->close();
  std::exchange(on_end_, nullptr)(end_reason_, /*asked=*/!lost_master_);
}

void TaskExecutor::forEach(const google::protobuf::RepeatedPtrField<proto::TaskRef>& refs,
                           const std::function<void(StreamTask&)>& call) {
  for (const proto::TaskRef& ref : refs) {
    const auto found = tasks_.find({ref.vertex_id(), ref.subtask(), ref.attempt()});
    if (found != tasks_.end()) call(*found->second);
  }
}

void TaskExecutor::taskStateChanged(const proto::TaskRef& task, proto::TaskState state,
                                    const proto::Failure* failure) {
  proto::WorkerToMaster message;
  proto::TaskStateChanged& change = *message.mutable_task_state();
  *change.mutable_task() = task;
  change.set_state(state);
  if (failure != nullptr) *change.mutable_failure() = *failure;
  link_->send(std::move(message));
}

void TaskExecutor::taskReachedEndOfData(const proto::TaskRef& task) {
  proto::WorkerToMaster message;
  proto::TaskStateChanged& change = *message.mutable_task_state();
  *change.mutable_task() = task;
  change.set_state(proto::RUNNING);
  change.set_end_of_data(true);
  link_->send(std::move(message));
}

void TaskExecutor::acknowledgeCheckpoint(proto::AcknowledgeCheckpoint acknowledgement) {
  proto::WorkerToMaster message;
  *message.mutable_acknowledge() = std::move(acknowledgement);
  link_->send(std::move(message));
}

void TaskExecutor::declineCheckpoint(const proto::TaskRef& task, int64_t checkpoint_id,
                                     const std::string& reason) {
  proto::WorkerToMaster message;
  proto::DeclineCheckpoint& decline = *message.mutable_decline();
  *decline.mutable_task() = task;
  decline.set_checkpoint_id(checkpoint_id);
  decline.set_reason(reason);
  link_->send(std::move(message));
}

}  // namespace wiesel::runtime
