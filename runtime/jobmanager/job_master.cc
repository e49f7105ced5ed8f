#include "runtime/jobmanager/job_master.h"

#include <algorithm>
#include <utility>

#include "common/config/cluster_options.h"
#include "common/config/configuration.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel::runtime {
namespace {

proto::StartWorker startOf(const JobSubmission& submission) {
  proto::StartWorker start;
  start.set_job_id(submission.graph.job_id());
  start.set_binary_hash(submission.binary_hash);
  start.set_binary_path(submission.binary_path);
  start.mutable_arguments()->Assign(submission.arguments.begin(), submission.arguments.end());
  start.mutable_environment()->insert(submission.environment.begin(), submission.environment.end());
  return start;
}

// What a job's own configuration says wins over the JobManager's.
absl::StatusOr<JobMasterSettings> settingsOf(const proto::JobGraph& graph,
                                             JobMasterSettings settings) {
  Configuration configuration;
  for (const auto& [key, value] : graph.configuration()) configuration.setString(key, value);
  try {
    if (const auto timeout = configuration.getOptional(kSlotRequestTimeout)) {
      settings.scheduler.slot_request_timeout_ms = timeout->count();
    }
    if (const auto timeout_ms = configuration.getOptional(kTaskCancellationTimeout)) {
      settings.scheduler.cancellation_timeout_ms = *timeout_ms;
    }
  } catch (const ConfigurationError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return settings;
}

}  // namespace

absl::StatusOr<std::unique_ptr<JobMaster>> JobMaster::create(
    const JobMasterEnvironment& environment, const JobMasterSettings& defaults,
    JobSubmission submission) {
  WIESEL_ASSIGN_OR_RETURN(const JobMasterSettings settings, settingsOf(submission.graph, defaults));
  WIESEL_ASSIGN_OR_RETURN(std::unique_ptr<ExecutionGraph> graph,
                          ExecutionGraph::build(submission.graph, environment.clock.wallMs()));
  WIESEL_ASSIGN_OR_RETURN(const checkpoint::CheckpointSettings checkpointing,
                          checkpointSettingsOf(submission.graph.checkpointing()));
  WIESEL_ASSIGN_OR_RETURN(std::unique_ptr<RestartStrategy> restarts,
                          makeRestartStrategy(submission.graph.restart(),
                                              checkpointing.interval_ms > 0, environment.random));
  return std::unique_ptr<JobMaster>(new JobMaster(environment, settings, std::move(graph),
                                                  std::move(restarts), checkpointing,
                                                  std::move(submission)));
}

JobMaster::JobMaster(const JobMasterEnvironment& environment, const JobMasterSettings& settings,
                     std::unique_ptr<ExecutionGraph> graph,
                     std::unique_ptr<RestartStrategy> restarts,
                     const checkpoint::CheckpointSettings& checkpointing, JobSubmission submission)
    : environment_(environment),
      loop_(environment.loop),
      shared_graph_(std::make_shared<const proto::JobGraph>(submission.graph)),
      graph_(std::move(graph)),
      restarts_(std::move(restarts)),
      workers_(environment.loop, environment.clock, environment.random, environment.resources,
               *this, settings.workers, graph_->jobGraph(), startOf(submission)),
      checkpoints_(
          *graph_, checkpointing, workers_,
          {environment.loop, environment.clock, environment.io, environment.random,
           environment.storage_factory(graph_->jobGraph())},
          [this](const std::string& cause) { scheduler_->fail(cause, Recovery::kByStrategy); }),
      scheduler_(std::make_unique<JobScheduler>(
          JobScheduler::Environment{environment.loop, environment.clock, *graph_,
                                    environment.resources, workers_, checkpoints_, *restarts_},
          settings.scheduler, [this] { on_terminal_(); })) {
  environment_.resources.addJob(id(), *this);
}

JobMaster::~JobMaster() {
  environment_.resources.removeJob(id());
  workers_.shutDown("the JobManager ends");
}

void JobMaster::initialize(std::function<void(absl::Status)> done) {
  checkpoints_.start(
      loop_.guard([this, done = std::move(done)](absl::StatusOr<checkpoint::JobRestore> restore) {
        if (!restore.ok()) return done(restore.status());
        first_restore_ = *std::move(restore);
        done(absl::OkStatus());
      }));
}

void JobMaster::run(std::function<void()> on_terminal) {
  on_terminal_ = std::move(on_terminal);
  running_ = true;
  if (cancel_asked_) return scheduler_->cancel();
  scheduler_->start(std::move(first_restore_));
}

void JobMaster::cancel() {
  WIESEL_LOG(INFO) << "Cancelling job " << id();
  cancel_asked_ = true;
  if (running_) scheduler_->cancel();
}

void JobMaster::acceptWorker(const proto::RegisterWorker& registration,
                             std::shared_ptr<WorkerConnection> worker) {
  workers_.accept(registration, std::move(worker));
}

// ---- What comes in ----

void JobMaster::onSlots(const std::vector<SlotOffer>& slots) { scheduler_->onSlots(slots); }

// The slots first: what the loss of the workers leads to must not count on them.
void JobMaster::onTaskManagerLost(const std::string& task_manager_id, const std::string& cause) {
  scheduler_->onSlotsLost(task_manager_id);
  workers_.onTaskManagerLost(task_manager_id, cause);
}

void JobMaster::onWorkerExited(const std::string& worker_id, const std::string& cause) {
  workers_.onWorkerExited(worker_id, cause);
}

void JobMaster::onWorkerReady(const std::string&) { scheduler_->onWorkerReady(); }

void JobMaster::onWorkerMessage(const std::string& worker_id,
                                const proto::WorkerToMaster& message) {
  switch (message.message_case()) {
    case proto::WorkerToMaster::kTaskState:
      return scheduler_->onTaskState(worker_id, message.task_state());
    case proto::WorkerToMaster::kAcknowledge:
      return checkpoints_.acknowledge(message.acknowledge());
    case proto::WorkerToMaster::kDecline:
      return checkpoints_.decline(message.decline());
    default:
      return;
  }
}

void JobMaster::onGraphError(const std::string&, const std::string& what_differs) {
  scheduler_->fail(what_differs, Recovery::kNever);
}

void JobMaster::onWorkerLost(const std::string& worker_id, const std::string& task_manager_id,
                             const std::string& cause, bool cause_known) {
  WIESEL_LOG(WARN) << "Job " << id() << " lost worker " << worker_id << ": " << cause;
  scheduler_->onWorkerLost(worker_id, task_manager_id, cause, cause_known);
}

void JobMaster::onWorkerCause(const std::string& worker_id, const std::string& cause) {
  scheduler_->onWorkerCause(worker_id, cause);
}

// ---- What it looks like ----

JobView JobMaster::view() const {
  JobView view;
  view.id = id();
  view.name = graph_->jobGraph().name();
  view.status = scheduler_->status();
  view.now_ms = environment_.clock.wallMs();
  view.status_entered_ms = scheduler_->statusEnteredMs();
  view.start_ms = view.status_entered_ms[static_cast<size_t>(JobStatus::kInitializing)];
  view.last_modified_ms =
      *std::max_element(view.status_entered_ms.begin(), view.status_entered_ms.end());
  if (isTerminal(view.status)) {
    view.end_ms = view.status_entered_ms[static_cast<size_t>(view.status)];
  }
  view.restarts = scheduler_->numRestarts();
  view.waiting = scheduler_->waitingText();
  for (const ExecutionVertex& vertex : graph_->vertices()) {
    view.vertices.push_back(viewOf(vertex));
    for (int state = 0; state < kNumExecutionStates; ++state) {
      view.task_counts[state] += vertex.counts[state];
    }
  }
  for (const ExceptionEntry& entry : scheduler_->history().entries()) {
    view.exceptions.push_back(viewOf(entry));
  }
  if (!view.exceptions.empty() && !view.exceptions.front().root.job_exception.empty()) {
    view.failure = view.exceptions.front().root;
  }
  view.checkpoints = checkpoints_.coordinator().counts();
  if (const auto* latest = checkpoints_.coordinator().latestCompleted()) {
    view.latest_checkpoint_path = latest->path;
  }
  view.graph = shared_graph_;
  return view;
}

VertexView JobMaster::viewOf(const ExecutionVertex& vertex) const {
  VertexView view;
  view.id = vertex.info->id();
  view.name = vertex.info->name();
  view.parallelism = vertex.parallelism();
  view.max_parallelism = vertex.info->max_parallelism();
  view.slot_sharing_group = vertex.info->slot_sharing_group();
  view.state = vertex.state();
  view.counts = vertex.counts;
  for (const Execution& execution : vertex.subtasks) {
    SubtaskView subtask;
    subtask.state = execution.state;
    subtask.attempt = graph_->attempt();
    subtask.entered_ms = execution.entered_ms;
    subtask.task_manager_id = execution.task_manager_id;
    subtask.host = hostOf(execution.task_manager_id);
    const WorkerPool::Worker* worker = workers_.find(execution.worker_id);
    subtask.endpoint = worker == nullptr ? subtask.host : worker->data_address;
    view.subtasks.push_back(std::move(subtask));
  }
  return view;
}

ExceptionView JobMaster::viewOf(const ExceptionEntry& entry) const {
  ExceptionView view;
  view.root = viewOf(entry.root);
  view.root.job_exception = entry.job_exception;
  view.root.flink_text = entry.flinkText();
  for (const JobFailure& failure : entry.concurrent) view.concurrent.push_back(viewOf(failure));
  return view;
}

FailureView JobMaster::viewOf(const JobFailure& failure) const {
  FailureView view;
  view.line = failureLine(failure);
  view.flink_text = ExceptionEntry{{}, failure, {}}.flinkText();
  view.message = failure.info.message();
  view.timestamp_ms = failure.timestamp_ms;
  view.task_name = failure.info.task_name();
  view.attempt = failure.attempt;
  view.task_manager_id = failure.task_manager_id;
  view.host = hostOf(failure.task_manager_id);
  view.user_code = failure.info.user_code();
  return view;
}

std::string JobMaster::hostOf(const std::string& task_manager_id) const {
  const auto task_manager = environment_.resources.taskManager(task_manager_id);
  return task_manager.has_value() ? task_manager->host : std::string();
}

}  // namespace wiesel::runtime
