#include "tests/simulation/simulated_cluster.h"

#include <utility>

#include "common/ids.h"
#include "runtime/jobmanager/job_manager_settings.h"
#include "runtime/network/simulated_data_transport.h"
#include "runtime/rpc/in_memory_link.h"

namespace wiesel::tests {

using namespace runtime;  // NOLINT: what is simulated is the runtime.

/// One TaskManager process and the workers in it.
struct SimulatedCluster::Node {
  SimulatedWorld::ProcessId process;
  EventLoop* loop;
  std::unique_ptr<LoopTaskRunner> runner;
  std::vector<std::unique_ptr<SimulatedDataTransport>> transports;
  std::vector<std::function<void(std::string)>> break_links;
  std::unique_ptr<LocalTaskManager> task_manager;
};

SimulatedCluster::SimulatedCluster(uint64_t seed, const JobPlan& plan)
    : plan_(plan),
      world_(seed),
      network_(world_),
      master_process_(world_.newProcess("jobmanager")),
      master_loop_(world_.newEventLoop(master_process_)),
      resources_(master_loop_, world_.clock(), ResourceSettings{}),
      dispatcher_(masterEnvironment(), DispatcherSettings{}) {}

SimulatedCluster::~SimulatedCluster() = default;

JobMasterEnvironment SimulatedCluster::masterEnvironment() {
  return {master_loop_,    world_.clock(), world_.newExecutor(master_process_),
          world_.random(), resources_,     checkpointStorageIn(files_)};
}

int64_t SimulatedCluster::messageDelayMs() {
  return static_cast<int64_t>(world_.random().below(4));
}

int SimulatedCluster::startTaskManager() {
  const int number = taskManagerCount();
  Node& node = *task_managers_.emplace_back(std::make_unique<Node>());
  const std::string name = "taskmanager-" + std::to_string(number);
  node.process = world_.newProcess(name);
  node.loop = &world_.newEventLoop(node.process);
  node.runner = std::make_unique<LoopTaskRunner>(
      [this, &node]() -> EventLoop& { return world_.newEventLoop(node.process); });
  auto link = makeInMemoryLink<proto::TaskManagerToMaster, proto::MasterToTaskManager>(
      *node.loop, master_loop_, [this] { return messageDelayMs(); });
  node.break_links.push_back(link.breakLink);
  dispatcher_.acceptTaskManager(std::move(link.second));
  node.task_manager = std::make_unique<LocalTaskManager>(
      *node.loop, plan_, name, /*slots=*/1, std::move(link.first),
      [this, &node] { return connectWorker(node); }, [this, &node] { return servicesOf(node); });
  node.loop->post([&node] { node.task_manager->start(); });
  return number;
}

std::unique_ptr<TaskExecutor::Link> SimulatedCluster::connectWorker(Node& node) {
  auto link = makeInMemoryLink<proto::WorkerToMaster, proto::MasterToWorker>(
      *node.loop, master_loop_, [this] { return messageDelayMs(); });
  node.break_links.push_back(link.breakLink);
  auto accepted = std::make_shared<std::unique_ptr<WorkerLink>>(std::move(link.second));
  master_loop_.post([this, accepted] { dispatcher_.acceptWorker(std::move(*accepted)); });
  return std::move(link.first);
}

WorkerServices SimulatedCluster::servicesOf(Node& node) {
  node.transports.push_back(
      std::make_unique<SimulatedDataTransport>(network_, node.process, job_id_));
  TaskEnvironment tasks;
  tasks.clock = &world_.clock();
  tasks.io = &world_.newExecutor(node.process);
  tasks.files = &files_;
  tasks.random = &world_.random();
  tasks.print_line = [this](StandardStream, const std::string& line) { printed_.push_back(line); };
  return {*node.loop, *node.transports.back(), *node.runner, std::move(tasks)};
}

void SimulatedCluster::killTaskManager(int number) {
  Node& node = *task_managers_[number];
  world_.kill(node.process);
  network_.kill(node.process);
  for (const auto& break_link : node.break_links) break_link("the process was killed");
}

bool SimulatedCluster::isAlive(int number) const {
  return world_.isAlive(task_managers_[number]->process);
}

void SimulatedCluster::submit() {
  JobSubmission submission;
  submission.graph = plan_.graph;
  job_id_ = randomId(world_.random()).toHex();
  submission.graph.set_job_id(job_id_);
  master_loop_.post([this, submission] {
    dispatcher_.submit(submission, [this](const absl::StatusOr<std::string>& job_id) {
      if (!job_id.ok()) {
        result_ = job_id.status();
        return;
      }
      dispatcher_.waitFor(*job_id,
                          [this](absl::StatusOr<JobView> view) { result_ = std::move(view); });
    });
  });
}

void SimulatedCluster::cancel() {
  master_loop_.post([this] { dispatcher_.cancel(job_id_).IgnoreError(); });
}

bool SimulatedCluster::runToEnd(int64_t max_virtual_ms) {
  return world_.runUntil([this] { return result_.has_value(); }, max_virtual_ms);
}

}  // namespace wiesel::tests
