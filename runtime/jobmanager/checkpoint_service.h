#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "common/clock.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "common/random.h"
#include "runtime/graph/execution_graph.h"
#include "runtime/proto/control.pb.h"
#include "runtime/scheduler/worker_pool.h"

namespace wiesel::runtime {

/// The settings of a job graph, checked. InvalidArgument names the option and its value.
absl::StatusOr<checkpoint::CheckpointSettings> checkpointSettingsOf(
    const proto::CheckpointSettings& settings);

/// What checkpoints look at in a job.
checkpoint::JobTopology topologyOf(const ExecutionGraph& graph);

/// The job's checkpoint coordinator with its two ends in the runtime: messages to tasks go over the
/// links of their workers, and what tasks report comes in as protobuf.
///
/// Borrows: graph, workers and the environment.
/// Threads: everything on the loop.
class CheckpointService final : private checkpoint::TaskGateway,
                                private checkpoint::CoordinatorListener {
 public:
  struct Environment {
    EventLoop& loop;
    const Clock& clock;
    Executor& io;
    RandomSource& random;
    std::shared_ptr<checkpoint::CheckpointStorage> storage;
  };
  using OnRestore = checkpoint::CheckpointCoordinator::OnRestore;

  /// `fail_job` is called with one line when too many checkpoints have failed.
  CheckpointService(const ExecutionGraph& graph, const checkpoint::CheckpointSettings& settings,
                    WorkerPool& workers, const Environment& environment,
                    std::function<void(const std::string&)> fail_job);

  /// Makes the storage ready and loads the job's restore path. An error refuses the job.
  void start(OnRestore done);

  void taskRunning(SubtaskId id);
  void taskReachedEnd(SubtaskId id);
  void taskFinished(SubtaskId id);
  /// Reports of other attempts are ignored.
  void acknowledge(const proto::AcknowledgeCheckpoint& message);
  void decline(const proto::DeclineCheckpoint& message);

  void jobRestarting(const std::string& cause) { coordinator_.jobRestarting(cause); }
  void restoreLatest(OnRestore done) { coordinator_.restoreLatest(std::move(done)); }
  void jobTerminal(checkpoint::JobEnd end, std::function<void()> done) {
    coordinator_.jobTerminal(end, std::move(done));
  }

  const checkpoint::CheckpointCoordinator& coordinator() const { return coordinator_; }

 private:
  // checkpoint::TaskGateway
  void triggerCheckpoint(const std::vector<checkpoint::ExecutionRef>& tasks, int64_t checkpoint_id,
                         int64_t timestamp_ms) override;
  void notifyComplete(const std::vector<checkpoint::ExecutionRef>& tasks,
                      int64_t checkpoint_id) override;
  void notifyAborted(const std::vector<checkpoint::ExecutionRef>& tasks,
                     int64_t checkpoint_id) override;
  // checkpoint::CoordinatorListener
  void failJob(const absl::Status& cause) override;

  void notify(const std::vector<checkpoint::ExecutionRef>& tasks, int64_t checkpoint_id,
              bool completed);
  std::map<std::string, std::vector<proto::TaskRef>> byWorker(
      const std::vector<checkpoint::ExecutionRef>& tasks) const;
  checkpoint::ExecutionRef refOf(SubtaskId id) const;

  const ExecutionGraph& graph_;
  const checkpoint::JobTopology topology_;
  WorkerPool& workers_;
  const std::function<void(const std::string&)> fail_job_;
  checkpoint::CheckpointCoordinator coordinator_;
};

}  // namespace wiesel::runtime
