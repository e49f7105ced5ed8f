#include "runtime/jobmanager/checkpoint_service.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/handle_codec.h"
#include "common/ids.h"
#include "common/log.h"

namespace wiesel::runtime {
namespace {

// Ids of a graph that was checked, or of a message that named one of its tasks.
Id128 idOf(const std::string& hex) { return Id128::fromHex(hex).value_or(Id128()); }

checkpoint::CheckpointCoordinator::Environment environmentOf(
    const CheckpointService::Environment& environment, checkpoint::TaskGateway& tasks,
    checkpoint::CoordinatorListener& listener) {
  return {environment.loop, environment.clock,   environment.io,     tasks,
          listener,         environment.storage, &environment.random};
}

}  // namespace

absl::StatusOr<checkpoint::CheckpointSettings> checkpointSettingsOf(
    const proto::CheckpointSettings& settings) {
  checkpoint::CheckpointSettings result;
  result.interval_ms = settings.interval_ms();
  if (settings.interval_ms() == 0) return result;
  const auto require = [](bool holds, const char* option, int64_t value, const char* expected) {
    if (holds) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrFormat(
        "execution.checkpointing.%s is %d: it has to be %s", option, value, expected));
  };
  absl::Status status =
      require(settings.interval_ms() >= 10, "interval", settings.interval_ms(), "at least 10 ms");
  status.Update(require(settings.timeout_ms() >= 1, "timeout", settings.timeout_ms(), "over 0 ms"));
  status.Update(
      require(settings.min_pause_ms() >= 0, "min-pause", settings.min_pause_ms(), "at least 0 ms"));
  status.Update(require(settings.max_concurrent() >= 1, "max-concurrent-checkpoints",
                        settings.max_concurrent(), "at least 1"));
  status.Update(require(settings.tolerable_failures() >= 0, "tolerable-failed-checkpoints",
                        settings.tolerable_failures(), "at least 0"));
  status.Update(
      require(settings.num_retained() >= 1, "num-retained", settings.num_retained(), "at least 1"));
  if (!status.ok()) return status;
  result.timeout_ms = settings.timeout_ms();
  result.min_pause_ms = settings.min_pause_ms();
  result.max_concurrent = settings.max_concurrent();
  result.tolerable_failures = settings.tolerable_failures();
  result.num_retained = settings.num_retained();
  if (settings.retention().empty()) return result;
  const std::optional<checkpoint::Retention> retention =
      checkpoint::retentionFromName(settings.retention());
  if (!retention.has_value()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "execution.checkpointing.externalized-checkpoint-retention is '%s': it has to be "
        "NO_EXTERNALIZED_CHECKPOINTS, RETAIN_ON_CANCELLATION or DELETE_ON_CANCELLATION",
        settings.retention()));
  }
  result.retention = *retention;
  return result;
}

checkpoint::JobTopology topologyOf(const ExecutionGraph& graph) {
  checkpoint::JobTopology topology;
  topology.state_backend = graph.jobGraph().checkpointing().state_backend();
  for (const ExecutionVertex& from : graph.vertices()) {
    checkpoint::JobTopology::Vertex vertex;
    vertex.id = idOf(from.info->id());
    vertex.name = from.info->name();
    vertex.parallelism = from.parallelism();
    vertex.max_parallelism = from.info->max_parallelism();
    for (const proto::OperatorInfo& info : from.info->operators()) {
      vertex.operators.push_back({idOf(info.id()), info.uid(), info.name()});
    }
    for (const ExecutionInput& input : from.inputs) {
      vertex.inputs.push_back({input.producer, input.distribution == proto::POINTWISE});
    }
    topology.vertices.push_back(std::move(vertex));
  }
  return topology;
}

CheckpointService::CheckpointService(const ExecutionGraph& graph,
                                     const checkpoint::CheckpointSettings& settings,
                                     WorkerPool& workers, const Environment& environment,
                                     std::function<void(const std::string&)> fail_job)
    : graph_(graph),
      topology_(topologyOf(graph)),
      workers_(workers),
      fail_job_(std::move(fail_job)),
      coordinator_(idOf(graph.jobGraph().job_id()), topology_, settings,
                   environmentOf(environment, *this, *this)) {}

void CheckpointService::start(OnRestore done) {
  coordinator_.start(graph_.jobGraph().restore_path(), graph_.jobGraph().allow_non_restored_state(),
                     std::move(done));
}

void CheckpointService::taskRunning(SubtaskId id) { coordinator_.taskRunning(refOf(id)); }

void CheckpointService::taskReachedEnd(SubtaskId id) { coordinator_.taskReachedEnd(refOf(id)); }

void CheckpointService::taskFinished(SubtaskId id) { coordinator_.taskFinished(refOf(id)); }

void CheckpointService::acknowledge(const proto::AcknowledgeCheckpoint& message) {
  const std::optional<SubtaskId> id = graph_.find(message.task());
  if (!id.has_value()) return;
  checkpoint::TaskSnapshot snapshot;
  snapshot.finished = message.finished();
  snapshot.times = {.start_delay_ms = message.start_delay_ms(),
                    .alignment_ms = message.alignment_ms(),
                    .sync_ms = message.sync_ms(),
                    .async_ms = message.async_ms()};
  for (const proto::OperatorSnapshot& one : message.operators()) {
    absl::StatusOr<state::SubtaskState> state = checkpoint::decodeSubtaskState(one.subtask_state());
    if (!state.ok()) {
      WIESEL_LOG(WARN) << absl::StrFormat(
          "Could not read what %s acknowledged for checkpoint %d of job %s: %s",
          graph_.taskNameOf(*id), message.checkpoint_id(), graph_.jobGraph().job_id(),
          state.status().ToString());
      return coordinator_.decline(refOf(*id), message.checkpoint_id(),
                                  std::string(state.status().message()));
    }
    snapshot.operators.push_back({idOf(one.operator_id()), *std::move(state)});
  }
  coordinator_.acknowledge(refOf(*id), message.checkpoint_id(), std::move(snapshot));
}

void CheckpointService::decline(const proto::DeclineCheckpoint& message) {
  const std::optional<SubtaskId> id = graph_.find(message.task());
  if (!id.has_value()) return;
  coordinator_.decline(refOf(*id), message.checkpoint_id(), message.reason());
}

void CheckpointService::triggerCheckpoint(const std::vector<checkpoint::ExecutionRef>& tasks,
                                          int64_t checkpoint_id, int64_t timestamp_ms) {
  for (const auto& [worker, refs] : byWorker(tasks)) {
    proto::MasterToWorker message;
    message.mutable_trigger()->set_checkpoint_id(checkpoint_id);
    message.mutable_trigger()->set_timestamp_ms(timestamp_ms);
    message.mutable_trigger()->mutable_tasks()->Assign(refs.begin(), refs.end());
    workers_.send(worker, std::move(message));
  }
}

void CheckpointService::notifyComplete(const std::vector<checkpoint::ExecutionRef>& tasks,
                                       int64_t checkpoint_id) {
  notify(tasks, checkpoint_id, true);
}

void CheckpointService::notifyAborted(const std::vector<checkpoint::ExecutionRef>& tasks,
                                      int64_t checkpoint_id) {
  notify(tasks, checkpoint_id, false);
}

void CheckpointService::notify(const std::vector<checkpoint::ExecutionRef>& tasks,
                               int64_t checkpoint_id, bool completed) {
  for (const auto& [worker, refs] : byWorker(tasks)) {
    proto::MasterToWorker message;
    message.mutable_notify()->set_checkpoint_id(checkpoint_id);
    message.mutable_notify()->set_completed(completed);
    message.mutable_notify()->mutable_tasks()->Assign(refs.begin(), refs.end());
    workers_.send(worker, std::move(message));
  }
}

void CheckpointService::failJob(const absl::Status& cause) {
  fail_job_(std::string(cause.message()));
}

std::map<std::string, std::vector<proto::TaskRef>> CheckpointService::byWorker(
    const std::vector<checkpoint::ExecutionRef>& tasks) const {
  std::map<std::string, std::vector<proto::TaskRef>> refs_of_worker;
  for (const checkpoint::ExecutionRef& task : tasks) {
    proto::TaskRef ref;
    ref.set_vertex_id(task.vertex.toHex());
    ref.set_subtask(task.subtask);
    ref.set_attempt(task.attempt);
    const std::optional<SubtaskId> id = graph_.find(ref);
    if (id.has_value()) refs_of_worker[graph_.execution(*id).worker_id].push_back(std::move(ref));
  }
  return refs_of_worker;
}

checkpoint::ExecutionRef CheckpointService::refOf(SubtaskId id) const {
  return {topology_.vertices[id.vertex].id, id.subtask, graph_.attempt()};
}

}  // namespace wiesel::runtime
