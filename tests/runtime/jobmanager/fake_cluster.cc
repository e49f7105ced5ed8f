#include "tests/runtime/jobmanager/fake_cluster.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/check.h"
#include "common/log.h"

namespace wiesel::runtime::testing {
namespace {

bool sameTask(const proto::TaskRef& left, const proto::TaskRef& right) {
  return left.vertex_id() == right.vertex_id() && left.subtask() == right.subtask() &&
         left.attempt() == right.attempt();
}

}  // namespace

// ---- FakeWorker ----

FakeWorker::FakeWorker(FakeCluster& cluster, FakeTaskManager& owner,
                       const proto::StartWorker& start)
    : cluster_(cluster),
      owner_(owner),
      start_(start),
      process_(cluster.world.newProcess("worker")),
      loop_(cluster.world.newEventLoop(process_)) {
  auto pair = makeInMemoryLink<proto::MasterToWorker, proto::WorkerToMaster>(
      cluster.master_loop_, loop_, cluster.linkDelay());
  link_ = std::move(pair.second);
  break_link_ = pair.breakLink;
  link_->start([this](const proto::MasterToWorker& message) { onMessage(message); },
               [this](const std::string& why) { die("the JobManager is gone: " + why); });
  cluster.dispatcher_->acceptWorker(std::move(pair.first));
  proto::WorkerToMaster message;
  message.mutable_register_()->set_job_id(start_.job_id());
  message.mutable_register_()->set_worker_id(start_.worker_id());
  message.mutable_register_()->set_task_manager_id(owner.id());
  message.mutable_register_()->set_data_address("127.0.0.1:" + std::to_string(10'000 + process_));
  message.mutable_register_()->set_graph_error(cluster.script.graph_error);
  send(std::move(message));
}

void FakeWorker::send(proto::WorkerToMaster message) {
  if (alive_) link_->send(std::move(message));
}

void FakeWorker::onMessage(const proto::MasterToWorker& message) {
  if (!alive_) return;
  if (message.has_deploy()) return onDeploy(message.deploy());
  if (message.has_cancel()) return onCancel(message.cancel());
  if (message.has_trigger()) return cluster_.onTrigger(*this, message.trigger().checkpoint_id());
  if (message.has_notify()) return cluster_.notifications.push_back(message.notify());
  if (message.message_case() == proto::MasterToWorker::kShutdown) return die("shutdown");
  if (message.has_heartbeat() && cluster_.script.beats) {
    proto::WorkerToMaster answer;
    answer.mutable_heartbeat();
    send(std::move(answer));
  }
}

void FakeWorker::onDeploy(const proto::DeployTasks& deploy) {
  const WorkerScript& script = cluster_.script;
  for (const proto::TaskDeployment& task : deploy.tasks()) {
    cluster_.deployments.emplace_back(this, task);
    Task added;
    added.ref.set_vertex_id(task.vertex_id());
    added.ref.set_subtask(task.subtask());
    added.ref.set_attempt(task.attempt());
    tasks_.push_back(added);
    report(added.ref, proto::INITIALIZING);
    after(script.initialize_ms, added.ref, proto::RUNNING);
    if (script.run_ms >= 0) {
      after(script.initialize_ms + script.run_ms, added.ref, proto::FINISHED);
    }
  }
}

void FakeWorker::onCancel(const proto::CancelTasks& cancel) {
  if (cluster_.script.cancel_ms < 0) return;
  for (const proto::TaskRef& ref : cancel.tasks()) {
    after(cluster_.script.cancel_ms, ref, proto::CANCELED);
  }
}

void FakeWorker::after(int64_t delay_ms, const proto::TaskRef& ref, ExecutionState state) {
  loop_.postAfter(delay_ms, [this, ref, state] {
    if (find(ref) != nullptr) report(ref, state);
  });
}

FakeWorker::Task* FakeWorker::find(const proto::TaskRef& ref) {
  for (Task& task : tasks_) {
    if (sameTask(task.ref, ref)) return &task;
  }
  return nullptr;
}

void FakeWorker::report(const proto::TaskRef& ref, ExecutionState state) {
  if (Task* task = find(ref)) task->running = state == proto::RUNNING;
  proto::WorkerToMaster message;
  *message.mutable_task_state()->mutable_task() = ref;
  message.mutable_task_state()->set_state(state);
  send(std::move(message));
  if (isTerminal(state)) forget(ref);
}

void FakeWorker::fail(const proto::TaskRef& ref, const std::string& text,
                      const std::string& operator_name) {
  proto::Failure failure;
  failure.set_message(text);
  failure.set_operator_name(operator_name);
  fail(ref, failure);
}

void FakeWorker::fail(const proto::TaskRef& ref, const proto::Failure& failure) {
  proto::WorkerToMaster message;
  *message.mutable_task_state()->mutable_task() = ref;
  message.mutable_task_state()->set_state(proto::FAILED);
  *message.mutable_task_state()->mutable_failure() = failure;
  send(std::move(message));
  forget(ref);
}

void FakeWorker::forget(const proto::TaskRef& ref) {
  std::erase_if(tasks_, [&](const Task& task) { return sameTask(task.ref, ref); });
}

void FakeWorker::acknowledge(int64_t checkpoint_id) {
  loop_.post([this, checkpoint_id] {
    for (const Task& task : tasks_) {
      if (!task.running) continue;
      proto::WorkerToMaster message;
      *message.mutable_acknowledge()->mutable_task() = task.ref;
      message.mutable_acknowledge()->set_checkpoint_id(checkpoint_id);
      send(std::move(message));
    }
  });
}

void FakeWorker::die(const std::string& why) {
  if (!alive_) return;
  alive_ = false;
  tasks_.clear();
  cluster_.world.kill(process_);
  break_link_("connection reset: " + why);
}

// ---- FakeTaskManager ----

FakeTaskManager::FakeTaskManager(FakeCluster& cluster, std::string id, int32_t slots)
    : cluster_(cluster),
      id_(std::move(id)),
      process_(cluster.world.newProcess(id_)),
      loop_(cluster.world.newEventLoop(process_)) {
  auto pair = makeInMemoryLink<proto::MasterToTaskManager, proto::TaskManagerToMaster>(
      cluster.master_loop_, loop_, cluster.linkDelay());
  link_ = std::move(pair.second);
  break_link_ = pair.breakLink;
  link_->start([this](const proto::MasterToTaskManager& message) { onMessage(message); },
               [this](const std::string& why) { die("the JobManager is gone: " + why); });
  cluster.dispatcher_->acceptTaskManager(std::move(pair.first));
  proto::TaskManagerToMaster message;
  message.mutable_register_()->set_id(id_);
  message.mutable_register_()->set_host("127.0.0.1");
  message.mutable_register_()->set_slots(slots);
  message.mutable_register_()->set_managed_memory_bytes(1'000 * slots);
  send(std::move(message));
}

void FakeTaskManager::onMessage(const proto::MasterToTaskManager& message) {
  if (!alive_) return;
  if (message.has_registered()) registered_ = true;
  if (message.message_case() == proto::MasterToTaskManager::kRefused) refused_ = message.refused();
  if (message.has_heartbeat() && beats_) {
    proto::TaskManagerToMaster answer;
    answer.mutable_heartbeat();
    send(std::move(answer));
  }
  if (message.has_start_worker() && cluster_.script.start_ms >= 0) {
    loop_.postAfter(cluster_.script.start_ms, [this, start = message.start_worker()] {
      cluster_.workers_.push_back(std::make_unique<FakeWorker>(cluster_, *this, start));
    });
  }
  if (message.has_stop_worker()) {
    for (FakeWorker* worker : cluster_.livingWorkers()) {
      if (worker->id() == message.stop_worker().worker_id()) worker->die("stopped");
    }
  }
}

void FakeTaskManager::reportExit(const FakeWorker& worker, const std::string& cause,
                                 int64_t delay_ms) {
  proto::TaskManagerToMaster message;
  message.mutable_worker_exited()->set_job_id(worker.jobId());
  message.mutable_worker_exited()->set_worker_id(worker.id());
  message.mutable_worker_exited()->set_cause(cause);
  loop_.postAfter(delay_ms, [this, message] { send(message); });
}

void FakeTaskManager::die(const std::string& why) {
  if (!alive_) return;
  alive_ = registered_ = false;
  cluster_.world.kill(process_);
  break_link_("connection reset: " + why);
  for (FakeWorker* worker : cluster_.livingWorkers()) {
    if (&worker->owner() == this) worker->die(why);
  }
}

// ---- FakeCluster ----

FakeCluster::FakeCluster(FakeClusterOptions options)
    : world(options.seed),
      options_(std::move(options)),
      master_(world.newProcess("jobmanager")),
      master_loop_(world.newEventLoop(master_)) {
  setMinLogSeverity(LogSeverity::kERROR);
  resources_ =
      std::make_unique<ResourceManager>(master_loop_, world.clock(), options_.settings.resources);
  dispatcher_ = std::make_unique<Dispatcher>(
      JobMasterEnvironment{master_loop_, world.clock(), world.newExecutor(master_), world.random(),
                           *resources_, checkpointStorageIn(files)},
      options_.settings.dispatcher);
}

FakeCluster::~FakeCluster() { dispatcher_.reset(); }

LinkDelay FakeCluster::linkDelay() {
  if (options_.max_link_delay_ms == 0) return {};
  return [this] {
    return static_cast<int64_t>(
        world.random().below(static_cast<uint64_t>(options_.max_link_delay_ms) + 1));
  };
}

FakeTaskManager& FakeCluster::addTaskManager(const std::string& id, int32_t slots) {
  task_managers_.push_back(std::make_unique<FakeTaskManager>(*this, id, slots));
  return *task_managers_.back();
}

FakeTaskManager& FakeCluster::taskManager(const std::string& id) {
  for (auto found = task_managers_.rbegin(); found != task_managers_.rend(); ++found) {
    if ((*found)->id() == id) return **found;
  }
  WIESEL_CHECK(false) << id;
  return *task_managers_.front();
}

absl::Status FakeCluster::submit(const proto::JobGraph& graph) {
  std::optional<absl::Status> answer;
  JobSubmission submission;
  submission.graph = graph;
  submission.arguments = {"--flag"};
  dispatcher_->submit(std::move(submission),
                      [&answer](const absl::StatusOr<std::string>& id) { answer = id.status(); });
  WIESEL_CHECK(runUntil([&] { return answer.has_value(); }));
  return *answer;
}

JobView FakeCluster::view(const std::string& job_id) {
  const std::optional<JobView> view = dispatcher_->job(job_id);
  WIESEL_CHECK(view.has_value()) << job_id;
  return *view;
}

bool FakeCluster::runUntilStatus(const std::string& job_id, JobStatus status, int64_t max_ms) {
  return runUntil([&] { return this->status(job_id) == status; }, max_ms);
}

bool FakeCluster::runUntilTasks(const std::string& job_id, ExecutionState state, int64_t max_ms) {
  const auto reached = [&] {
    const JobView now = view(job_id);
    int32_t total = 0;
    for (const int32_t count : now.task_counts) total += count;
    return now.task_counts[state] == total;
  };
  return runUntil(reached, max_ms);
}

FakeWorker* FakeCluster::workerOn(const std::string& task_manager_id) {
  for (FakeWorker* worker : livingWorkers()) {
    if (worker->owner().id() == task_manager_id) return worker;
  }
  return nullptr;
}

std::vector<FakeWorker*> FakeCluster::livingWorkers() {
  std::vector<FakeWorker*> living;
  for (const std::unique_ptr<FakeWorker>& worker : workers_) {
    if (worker->isAlive()) living.push_back(worker.get());
  }
  return living;
}

void FakeCluster::crash(FakeWorker& worker, const std::string& cause, int64_t report_delay_ms) {
  worker.owner().reportExit(worker, cause, report_delay_ms);
  worker.die("killed");
}

std::vector<std::pair<FakeWorker*, proto::TaskDeployment>> FakeCluster::deploymentsOf(
    int32_t attempt) const {
  std::vector<std::pair<FakeWorker*, proto::TaskDeployment>> found;
  for (const auto& deployment : deployments) {
    if (deployment.second.attempt() == attempt) found.push_back(deployment);
  }
  return found;
}

// Barriers would travel from task to task; here every task of the job hears of the checkpoint at
// once.
void FakeCluster::onTrigger(const FakeWorker& triggered_worker, int64_t checkpoint_id) {
  triggered.push_back(checkpoint_id);
  if (!script.acknowledges) return;
  for (FakeWorker* worker : livingWorkers()) {
    if (worker->jobId() == triggered_worker.jobId()) worker->acknowledge(checkpoint_id);
  }
}

// ---- Jobs ----

proto::JobGraph twoVertexJob(int32_t parallelism, uint64_t number) {
  const auto id = [](uint64_t of) { return absl::StrFormat("%032x", of); };
  proto::JobGraph graph;
  graph.set_job_id(id(number));
  graph.set_name("two vertices");
  for (const uint64_t vertex_number : {uint64_t{0xa}, uint64_t{0xb}}) {
    proto::JobVertex& vertex = *graph.add_vertices();
    vertex.set_id(id(vertex_number));
    vertex.set_name(vertex_number == 0xa ? "Source: numbers" : "Sink: out");
    vertex.set_parallelism(parallelism);
    vertex.set_max_parallelism(128);
    vertex.set_is_source(vertex_number == 0xa);
    proto::OperatorInfo& info = *vertex.add_operators();
    info.set_id(vertex.id());
    info.set_name(vertex_number == 0xa ? "numbers" : "out");
  }
  proto::JobEdge& edge = *graph.mutable_vertices(1)->add_inputs();
  edge.set_source_vertex(graph.vertices(0).id());
  edge.set_distribution(proto::ALL_TO_ALL);
  return graph;
}

proto::JobGraph withFixedDelay(proto::JobGraph graph, int32_t attempts, int64_t delay_ms) {
  graph.mutable_restart()->set_type("fixed-delay");
  graph.mutable_restart()->set_attempts(attempts);
  graph.mutable_restart()->set_delay_ms(delay_ms);
  return graph;
}

proto::JobGraph withCheckpoints(proto::JobGraph graph, int64_t interval_ms,
                                const std::string& retention) {
  proto::CheckpointSettings& settings = *graph.mutable_checkpointing();
  settings.set_interval_ms(interval_ms);
  settings.set_timeout_ms(600'000);
  settings.set_max_concurrent(1);
  settings.set_exactly_once(true);
  settings.set_state_backend("hashmap");
  settings.set_directory("file:///checkpoints");
  settings.set_retention(retention);
  settings.set_num_retained(1);
  return graph;
}

}  // namespace wiesel::runtime::testing
