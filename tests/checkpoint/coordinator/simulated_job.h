#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "checkpoint/storage/checkpoint_loader.h"
#include "checkpoint/storage/file_checkpoint_storage.h"
#include "common/filesystem/in_memory_file_system.h"
#include "common/simulation/simulated_world.h"
#include "tests/checkpoint/sample_job.h"
#include "tests/checkpoint/storage/failing_file_system.h"

namespace wiesel::checkpoint {

/// What the coordinator sent to the tasks or told the job master.
struct Sent {
  enum class Kind { kTrigger, kComplete, kAborted, kFailJob };

  Kind kind = Kind::kTrigger;
  int64_t checkpoint_id = 0;
  std::vector<ExecutionRef> tasks;
  int64_t at_ms = 0;  // Since the start of the world.
  std::string cause;  // kFailJob.
};

/// A checkpoint every second, of which any number may fail.
inline CheckpointSettings everySecond() {
  CheckpointSettings settings;
  settings.interval_ms = 1000;
  settings.timeout_ms = 5000;
  settings.tolerable_failures = FailurePolicy::kUnlimited;
  return settings;
}

/// The same but for one field.
template <class T>
CheckpointSettings everySecondWith(T CheckpointSettings::*field,
                                   const std::type_identity_t<T>& value) {
  CheckpointSettings changed = everySecond();
  changed.*field = value;
  return changed;
}

/// A coordinator of sampleJob() in a simulated world, with tasks and a job master that are played
/// by the test.
class SimulatedJob final : public TaskGateway, public CoordinatorListener {
 public:
  explicit SimulatedJob(const CheckpointSettings& settings, uint64_t seed = 1,
                        const JobId& job = idOf(9))
      : SimulatedJob(settings, std::make_shared<InMemoryFileSystem>(), seed, job) {}

  SimulatedJob(const CheckpointSettings& settings, std::shared_ptr<InMemoryFileSystem> disk,
               uint64_t seed, const JobId& job)
      : disk_(std::move(disk)), world_(seed), job_(job) {
    const auto process = world_.newProcess("jobmanager");
    storage_ = std::make_shared<FileCheckpointStorage>(files_, "/ck", job);
    coordinator_ = std::make_unique<CheckpointCoordinator>(
        job, sampleJob(), settings,
        CheckpointCoordinator::Environment{world_.newEventLoop(process), world_.clock(),
                                           world_.newExecutor(process), *this, *this, storage_});
  }

  // ---- Played by the test ----

  /// Starts the coordinator and waits for its answer.
  absl::StatusOr<JobRestore> start(const std::string& restore_path = "",
                                   bool allow_non_restored_state = false) {
    std::optional<absl::StatusOr<JobRestore>> answer;
    coordinator_->start(restore_path, allow_non_restored_state,
                        [&](absl::StatusOr<JobRestore> restore) { answer = std::move(restore); });
    world_.runUntil([&] { return answer.has_value(); }, 1000);
    return answer.value_or(absl::DeadlineExceededError("no answer"));
  }

  absl::StatusOr<JobRestore> restoreLatest() {
    std::optional<absl::StatusOr<JobRestore>> answer;
    coordinator_->restoreLatest(
        [&](absl::StatusOr<JobRestore> restore) { answer = std::move(restore); });
    world_.runUntil([&] { return answer.has_value(); }, 1000);
    return answer.value_or(absl::DeadlineExceededError("no answer"));
  }

  static std::vector<ExecutionRef> allTasks(int attempt) {
    std::vector<ExecutionRef> tasks;
    for (uint8_t vertex = 1; vertex <= 3; ++vertex) {
      for (int subtask = 0; subtask < 2; ++subtask) tasks.push_back(task(vertex, subtask, attempt));
    }
    return tasks;
  }

  void runTasks(int attempt = 0) {
    for (const ExecutionRef& one : allTasks(attempt)) coordinator_->taskRunning(one);
  }

  /// One list element for every task.
  static TaskSnapshot snapshotOf(const ExecutionRef& task, bool finished = false) {
    TaskSnapshot snapshot;
    snapshot.finished = finished;
    snapshot.operators.push_back(
        {task.vertex, {{listState("s", {0}, std::to_string(task.subtask))}, {}}});
    return snapshot;
  }

  void acknowledgeAll(int64_t checkpoint_id, int attempt = 0, bool finished = false) {
    for (const ExecutionRef& one : allTasks(attempt)) {
      coordinator_->acknowledge(one, checkpoint_id, snapshotOf(one, finished));
    }
  }

  /// Waits for the next trigger, acknowledges and waits for the completion; returns the id or 0.
  int64_t completeOne(int attempt = 0) {
    const size_t before = sentOf(Sent::Kind::kTrigger).size();
    const size_t completed = sentOf(Sent::Kind::kComplete).size();
    world_.runUntil([&] { return sentOf(Sent::Kind::kTrigger).size() > before; }, 100'000);
    if (sentOf(Sent::Kind::kTrigger).size() == before) return 0;
    const int64_t id = sentOf(Sent::Kind::kTrigger).back().checkpoint_id;
    acknowledgeAll(id, attempt);
    world_.runUntil([&] { return sentOf(Sent::Kind::kComplete).size() > completed; }, 1000);
    return sentOf(Sent::Kind::kComplete).size() > completed ? id : 0;
  }

  /// Ends the job and waits until the coordinator has cleaned up.
  bool end(JobEnd end) {
    bool done = false;
    coordinator_->jobTerminal(end, [&] { done = true; });
    return world_.runUntil([&] { return done; }, 10'000);
  }

  // ---- What happened ----

  std::vector<Sent> sentOf(Sent::Kind kind) const {
    std::vector<Sent> found;
    std::copy_if(sent_.begin(), sent_.end(), std::back_inserter(found),
                 [&](const Sent& sent) { return sent.kind == kind; });
    return found;
  }
  std::vector<int64_t> idsOf(Sent::Kind kind) const {
    std::vector<int64_t> ids;
    for (const Sent& sent : sentOf(kind)) ids.push_back(sent.checkpoint_id);
    return ids;
  }
  std::vector<int64_t> timesOf(Sent::Kind kind) const {
    std::vector<int64_t> times;
    for (const Sent& sent : sentOf(kind)) times.push_back(sent.at_ms);
    return times;
  }

  std::string jobDirectory() const { return "/ck/" + job_.toHex(); }
  std::string checkpointPath(int64_t id) const {
    return jobDirectory() + "/chk-" + std::to_string(id);
  }
  /// Names in the job's directory, such as "chk-1".
  std::vector<std::string> listJob() const {
    const auto names = disk_->list(jobDirectory());
    return names.ok() ? *names : std::vector<std::string>{};
  }

  int64_t nowMs() const { return world_.nowMs() - SimulatedWorld::kStartWallMs; }

  CheckpointCoordinator& coordinator() { return *coordinator_; }
  void destroyCoordinator() { coordinator_.reset(); }
  SimulatedWorld& world() { return world_; }
  FailingFileSystem& files() { return files_; }
  InMemoryFileSystem& disk() { return *disk_; }
  std::shared_ptr<InMemoryFileSystem> sharedDisk() { return disk_; }
  bool everythingNotifiedWasOnDisk() const { return everything_notified_was_on_disk_; }

 private:
  void triggerCheckpoint(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id,
                         int64_t /*timestamp_ms*/) override {
    sent_.push_back({Sent::Kind::kTrigger, checkpoint_id, tasks, nowMs(), ""});
  }
  void notifyComplete(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) override {
    if (!loadCheckpoint(*disk_, checkpointPath(checkpoint_id)).ok()) {
      everything_notified_was_on_disk_ = false;
    }
    sent_.push_back({Sent::Kind::kComplete, checkpoint_id, tasks, nowMs(), ""});
  }
  void notifyAborted(const std::vector<ExecutionRef>& tasks, int64_t checkpoint_id) override {
    sent_.push_back({Sent::Kind::kAborted, checkpoint_id, tasks, nowMs(), ""});
  }
  void failJob(const absl::Status& cause) override {
    sent_.push_back({Sent::Kind::kFailJob, 0, {}, nowMs(), std::string(cause.message())});
  }

  std::shared_ptr<InMemoryFileSystem> disk_;  // Shared with the job that is restored from it.
  FailingFileSystem files_{*disk_};
  std::vector<Sent> sent_;
  bool everything_notified_was_on_disk_ = true;
  SimulatedWorld world_;
  const JobId job_;
  std::shared_ptr<FileCheckpointStorage> storage_;
  std::unique_ptr<CheckpointCoordinator> coordinator_;
};

}  // namespace wiesel::checkpoint
