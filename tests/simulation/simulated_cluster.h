#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/simulation/simulated_world.h"
#include "runtime/embedded/local_task_manager.h"
#include "runtime/graph/job_plan.h"
#include "runtime/jobmanager/dispatcher.h"
#include "runtime/network/simulated_network.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/worker/loop_task_runner.h"

namespace wiesel::tests {

/// A JobManager and TaskManagers as simulated processes: the product's control plane, tasks and
/// data protocol in one thread, with virtual time, where a seed picks every interleaving.
///
/// TaskManagers can be killed at any moment, as `kill -9` does; files survive.
class SimulatedCluster {
 public:
  /// `plan` must outlive the cluster.
  SimulatedCluster(uint64_t seed, const runtime::JobPlan& plan);
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;
  ~SimulatedCluster();

  SimulatedWorld& world() { return world_; }
  InMemoryFileSystem& files() { return files_; }
  const std::vector<std::string>& printed() const { return printed_; }

  /// Starts a TaskManager with one slot; returns its number.
  int startTaskManager();
  void killTaskManager(int number);
  bool isAlive(int number) const;
  int taskManagerCount() const { return static_cast<int>(task_managers_.size()); }

  /// Hands in the plan's job.
  void submit();
  void cancel();

  /// The job's end, when it has come; an error when it was refused.
  const std::optional<absl::StatusOr<runtime::JobView>>& result() const { return result_; }

  /// Lets the world go on until the job is over, for at most this much virtual time.
  bool runToEnd(int64_t max_virtual_ms);

 private:
  struct Node;

  std::unique_ptr<runtime::TaskExecutor::Link> connectWorker(Node& node);
  runtime::WorkerServices servicesOf(Node& node);
  runtime::JobMasterEnvironment masterEnvironment();
  int64_t messageDelayMs();

  const runtime::JobPlan& plan_;
  SimulatedWorld world_;  // First: everything else uses it.
  InMemoryFileSystem files_;
  runtime::SimulatedNetwork network_;
  std::vector<std::string> printed_;
  SimulatedWorld::ProcessId master_process_;
  EventLoop& master_loop_;
  runtime::ResourceManager resources_;
  runtime::Dispatcher dispatcher_;
  std::vector<std::unique_ptr<Node>> task_managers_;  // Dead ones too.
  std::string job_id_;
  std::optional<absl::StatusOr<runtime::JobView>> result_;
};

}  // namespace wiesel::tests
