#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/jobmanager/job_master.h"
#include "runtime/jobmanager/job_view.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rpc/scoped_loop.h"
#include "runtime/scheduler/worker_connection.h"

namespace wiesel::runtime {

struct DispatcherSettings {
  JobMasterSettings jobs;
  int64_t expiration_ms = 3'600'000;       // jobstore.expiration-time
  int32_t max_finished_jobs = 2147483647;  // jobstore.max-capacity
};

/// Takes jobs in, runs a JobMaster for each, and remembers those that are over. Connects workers
/// with the JobMaster they belong to. The JobManager, the embedded cluster and the simulation use
/// it alike.
///
/// Borrows: the environment.
/// Threads: everything on the loop; callbacks come on it too.
/// Flink:   Dispatcher, ExecutionGraphInfoStore (1.20).
class Dispatcher {
 public:
  using OnSubmitted = std::function<void(absl::StatusOr<std::string> job_id)>;
  using OnTerminal = std::function<void(absl::StatusOr<JobView>)>;

  Dispatcher(const JobMasterEnvironment& environment, DispatcherSettings settings);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;
  ~Dispatcher();  // Ends the jobs; checkpoints stay as they are.

  /// Checks the job, makes its checkpoint directory ready and loads what it restores from; then it
  /// runs. `done` is called once, later, with the job's id or with the reason why it was refused.
  /// AlreadyExists for an id that is known, also when that job is over.
  void submit(JobSubmission submission, OnSubmitted done);

  /// NotFound for an unknown job, FailedPrecondition for one that has FINISHED or FAILED; OK when
  /// the job is CANCELED already. The job ends later.
  absl::Status cancel(const std::string& job_id);

  /// Calls `done` once, later, when the job is over; NotFound for an unknown job.
  void waitFor(const std::string& job_id, OnTerminal done);

  /// Jobs that run in the order in which they came, then those that are over, the newest first.
  std::vector<JobView> jobs() const;
  std::optional<JobView> job(const std::string& job_id) const;

  void acceptTaskManager(std::unique_ptr<ResourceManager::TaskManagerLink> link);
  /// Takes over a new connection; its first message has to be RegisterWorker, within
  /// heartbeat.timeout.
  void acceptWorker(std::unique_ptr<WorkerLink> link);

 private:
  struct RunningJob {
    std::unique_ptr<JobMaster> master;
    std::vector<OnTerminal> waiting;
  };

  void onInitialized(const std::string& job_id, const absl::Status& status,
                     const OnSubmitted& done);
  void onTerminal(const std::string& job_id);
  void onFirstMessage(uint64_t key, const proto::WorkerToMaster& message);
  void expire() const;
  void answer(OnTerminal done, absl::StatusOr<JobView> view);

  const JobMasterEnvironment environment_;
  const DispatcherSettings settings_;
  ScopedLoop loop_;
  std::map<std::string, RunningJob> running_;
  std::vector<std::string> order_;                // Of running_.
  std::vector<std::unique_ptr<JobMaster>> over_;  // Will go when the loop turns.
  mutable std::deque<JobView> finished_;  // Newest first; expired ones go when somebody looks.
  std::map<uint64_t, std::shared_ptr<WorkerConnection>> unregistered_workers_;
  uint64_t next_key_ = 1;
};

}  // namespace wiesel::runtime
