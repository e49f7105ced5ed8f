#include "checkpoint/coordinator/checkpoint_coordinator.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/check.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel::checkpoint {
namespace {

std::map<OperatorId, OperatorName> namesOf(const JobTopology& topology) {
  std::map<OperatorId, OperatorName> names;
  for (const JobTopology::Vertex& vertex : topology.vertices) {
    for (const JobTopology::Operator& one : vertex.operators) names[one.id] = {one.uid, one.name};
  }
  return names;
}

std::string describe(const JobTopology& topology, const ExecutionRef& task) {
  const int index = topology.indexOf(task.vertex);
  if (index < 0) return absl::StrFormat("task %s", task.vertex.toHex());
  const JobTopology::Vertex& vertex = topology.vertices[index];
  return absl::StrFormat("task '%s' (%d/%d)", vertex.name, task.subtask + 1, vertex.parallelism);
}

std::string oneLine(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

CheckpointCoordinator::CheckpointCoordinator(const JobId& job, JobTopology topology,
                                             const CheckpointSettings& settings,
                                             const Environment& environment)
    : job_(job),
      topology_(std::move(topology)),
      settings_(settings),
      environment_(environment),
      names_(namesOf(topology_)),
      states_(topology_),
      failures_(settings.tolerable_failures),
      completed_(settings.num_retained),
      scope_(environment.loop, environment.io),
      cleaner_(job, scope_, environment.storage, [this] { finishTerminal(); }) {
  if (settings_.interval_ms == 0) return;
  trigger_.emplace(settings_.interval_ms, settings_.min_pause_ms, settings_.max_concurrent);
}

CheckpointCoordinator::~CheckpointCoordinator() {
  scope_.cancelTimer(tick_timer_);
  for (const auto& [id, pending] : pending_) scope_.cancelTimer(pending.timeout_timer);
}

// ---- Tasks ----

void CheckpointCoordinator::taskRunning(const ExecutionRef& task) {
  if (!end_ && states_.setRunning(task)) startTicking();
}

void CheckpointCoordinator::taskReachedEnd(const ExecutionRef& task) {
  if (end_ || !states_.setReachedEnd(task) || !trigger_ || !states_.allReachedEnd()) return;
  trigger_->wish();
  considerBeginning();
}

void CheckpointCoordinator::taskFinished(const ExecutionRef& task) {
  if (end_ || !states_.setFinished(task)) return;
  std::vector<int64_t> in_vain;
  for (const auto& [id, pending] : pending_) {
    if (pending.checkpoint->waitsFor(task)) in_vain.push_back(id);
  }
  for (const int64_t id : in_vain) {
    abort(id, FailureReason::kCheckpointDeclinedTaskClosing,
          describe(topology_, task) + " finished before its barrier");
  }
  startTicking();
  considerBeginning();
}

void CheckpointCoordinator::acknowledge(const ExecutionRef& task, int64_t checkpoint_id,
                                        TaskSnapshot snapshot) {
  const auto found = pending_.find(checkpoint_id);
  if (found == pending_.end()) return cleaner_.onLateReport(checkpoint_id);
  PendingCheckpoint& checkpoint = *found->second.checkpoint;
  if (!checkpoint.waitsFor(task)) return;
  const JobTopology::Vertex& vertex = topology_.vertices[topology_.indexOf(task.vertex)];
  if (const absl::Status sound = checkSnapshot(snapshot, vertex, task.subtask); !sound.ok()) {
    return decline(task, checkpoint_id, "it handed in " + oneLine(sound));
  }
  checkpoint.acknowledge(task, std::move(snapshot));
  if (!checkpoint.isFullyAcknowledged()) return;
  scope_.cancelTimer(found->second.timeout_timer);
  completing_.push_back(checkpoint_id);
  if (completing_.size() > 1) return;
  completeNext();
  considerBeginning();
}

void CheckpointCoordinator::decline(const ExecutionRef& task, int64_t checkpoint_id,
                                    std::string_view reason) {
  const auto found = pending_.find(checkpoint_id);
  if (found == pending_.end()) return cleaner_.onLateReport(checkpoint_id);
  if (!found->second.checkpoint->waitsFor(task)) return;
  const Decline decline = parseDecline(reason);
  const std::string words = decline.message.empty() ? "" : ": " + decline.message;
  abort(checkpoint_id, decline.reason, describe(topology_, task) + " declined" + words);
  considerBeginning();
}

std::vector<ExecutionRef> CheckpointCoordinator::stillRunning(
    const PendingCheckpoint& checkpoint) const {
  std::vector<ExecutionRef> tasks;
  for (const ExecutionRef& task : checkpoint.plan().to_wait_for) {
    if (states_.isRunning(task)) tasks.push_back(task);
  }
  return tasks;
}

// ---- Begin ----

void CheckpointCoordinator::startTicking() {
  if (!trigger_ || trigger_->nextTickMs() || !states_.allStarted()) return;
  int64_t delay_ms = trigger_->intervalMs();
  if (environment_.random != nullptr) {
    const auto choices = static_cast<uint64_t>(delay_ms - settings_.min_pause_ms) + 1;
    delay_ms = settings_.min_pause_ms + static_cast<int64_t>(environment_.random->below(choices));
  }
  trigger_->start(nowMs(), delay_ms);
  if (states_.allReachedEnd()) trigger_->wish();
  considerBeginning();
}

void CheckpointCoordinator::stopTicking() {
  if (!trigger_) return;
  trigger_->stop();
  scope_.cancelTimer(tick_timer_);
}

/// Begins a checkpoint if one is due, and waits for the next tick.
void CheckpointCoordinator::considerBeginning() {
  if (!trigger_ || end_) return;
  // One location at a time, so that the tasks see the barriers in the order of the ids.
  const int in_progress =
      beginning_ != 0 ? settings_.max_concurrent : static_cast<int>(pending_.size());
  if (trigger_->shouldBegin(nowMs(), in_progress)) {
    std::optional<CheckpointPlan> plan = planCheckpoint(topology_, states_);
    if (plan) begin(*std::move(plan));
  }
  scope_.cancelTimer(tick_timer_);
  if (!trigger_->nextTickMs()) return;
  const int64_t delay_ms = std::max<int64_t>(0, *trigger_->nextTickMs() - nowMs());
  tick_timer_ = scope_.postAfter(delay_ms, [this] { considerBeginning(); });
}

void CheckpointCoordinator::begin(CheckpointPlan plan) {
  const int64_t id = next_id_++;
  const int64_t timestamp_ms = environment_.clock.wallMs();
  Pending& pending = pending_[id];
  pending.checkpoint =
      std::make_unique<PendingCheckpoint>(id, timestamp_ms, std::move(plan), finished_on_restore_);
  pending.began_ms = nowMs();
  pending.timeout_timer = scope_.postAfter(settings_.timeout_ms, [this, id] { onTimeout(id); });
  ++counts_.triggered;
  beginning_ = id;
  WIESEL_LOG(INFO) << absl::StrFormat("Triggering checkpoint %d of job %s (tasks=%d)", id,
                                      job_.toHex(), pending.checkpoint->plan().to_wait_for.size());
  scope_.execute([storage = environment_.storage, id] { return storage->begin(id); },
                 [this, id](const absl::Status& status) { onLocationReady(id, status); });
}

void CheckpointCoordinator::onLocationReady(int64_t checkpoint_id, const absl::Status& status) {
  beginning_ = 0;
  const auto found = pending_.find(checkpoint_id);
  if (found == pending_.end()) {
    cleaner_.remove(
        checkpoint_id);  // Aborted meanwhile; its directory may have come after the deletion.
  } else if (!status.ok()) {
    abort(checkpoint_id, FailureReason::kIoException, oneLine(status));
  } else {
    const PendingCheckpoint& checkpoint = *found->second.checkpoint;
    environment_.tasks.triggerCheckpoint(checkpoint.plan().to_trigger, checkpoint_id,
                                         checkpoint.timestampMs());
  }
  considerBeginning();
  finishTerminal();
}

// ---- Complete ----

void CheckpointCoordinator::completeNext() {
  while (!completing_.empty()) {
    const int64_t id = completing_.front();
    auto metadata = pending_.at(id).checkpoint->buildMetadata(topology_);
    if (metadata.ok()) {
      auto shared = std::make_shared<const CheckpointMetadata>(*std::move(metadata));
      scope_.execute(
          [storage = environment_.storage, shared, names = names_] {
            return storage->complete(*shared, names);
          },
          [this, id](absl::StatusOr<StoredCheckpoint> stored) { onStored(id, std::move(stored)); });
      return;
    }
    completing_.pop_front();
    abort(id, FailureReason::kCheckpointDeclinedTaskClosing, oneLine(metadata.status()));
  }
}

void CheckpointCoordinator::onStored(int64_t checkpoint_id,
                                     absl::StatusOr<StoredCheckpoint> stored) {
  completing_.pop_front();
  if (stored.ok()) {
    const Pending pending = std::move(pending_.at(checkpoint_id));
    pending_.erase(checkpoint_id);
    onCompleted(pending, *std::move(stored));
  } else {
    abort(checkpoint_id, FailureReason::kFinalizeCheckpointFailure, oneLine(stored.status()));
  }
  completeNext();
  considerBeginning();
  serveRestores();
  finishTerminal();
}

void CheckpointCoordinator::onCompleted(const Pending& pending, StoredCheckpoint stored) {
  const int64_t id = stored.metadata.checkpoint_id;
  const CheckpointTimes longest = pending.checkpoint->longestTimes();
  WIESEL_LOG(INFO) << absl::StrFormat(
      "Completed checkpoint %d of job %s (size_bytes=%d, took_ms=%d; longest of a task: "
      "start_delay_ms=%d, alignment_ms=%d, sync_ms=%d, async_ms=%d)",
      id, job_.toHex(), stored.size_bytes, nowMs() - pending.began_ms, longest.start_delay_ms,
      longest.alignment_ms, longest.sync_ms, longest.async_ms);
  ++counts_.completed;
  for (const int64_t subsumed : completed_.add(std::move(stored))) cleaner_.remove(subsumed);
  cleaner_.tryAgain();
  failures_.onSuccess(id);
  while (!pending_.empty() && pending_.begin()->first < id) {
    abort(pending_.begin()->first, FailureReason::kCheckpointSubsumed,
          absl::StrFormat("checkpoint %d completed before it", id));
  }
  if (trigger_) {
    trigger_->onCompleted(nowMs());
    // When all tasks have reached the end, this one was their last or they wait for another.
    if (pending.checkpoint->isLast()) trigger_->dropWish();
  }
  const std::vector<ExecutionRef> tasks = stillRunning(*pending.checkpoint);
  if (!tasks.empty()) environment_.tasks.notifyComplete(tasks, id);
  if (!end_) environment_.listener.onCheckpointCompleted(*completed_.latestOwn());
}

// ---- Give up ----

void CheckpointCoordinator::abort(int64_t checkpoint_id, FailureReason reason,
                                  const std::string& message) {
  const Pending pending = std::move(pending_.at(checkpoint_id));
  pending_.erase(checkpoint_id);
  completing_.erase(std::remove(completing_.begin(), completing_.end(), checkpoint_id),
                    completing_.end());
  scope_.cancelTimer(pending.timeout_timer);
  ++counts_.failed;
  const bool job_fails = failures_.onFailure(checkpoint_id, reason);
  const std::string event =
      absl::StrFormat("Aborted checkpoint %d of job %s: %s: %s", checkpoint_id, job_.toHex(),
                      failureReasonName(reason), message);
  if (FailurePolicy::counts(reason)) {
    WIESEL_LOG(WARN) << event << " (consecutive_failures=" << failures_.consecutiveFailures()
                     << ")";
  } else {
    WIESEL_LOG(INFO) << event;
  }
  cleaner_.removeAborted(checkpoint_id);
  const std::vector<ExecutionRef> tasks = stillRunning(*pending.checkpoint);
  if (!tasks.empty()) environment_.tasks.notifyAborted(tasks, checkpoint_id);
  if (job_fails) {
    const absl::Status cause = absl::AbortedError(absl::StrFormat(
        "checkpoint %d failed: %s: %s; more checkpoints in a row have failed than "
        "execution.checkpointing.tolerable-failed-checkpoints=%d",
        checkpoint_id, failureReasonName(reason), message, settings_.tolerable_failures));
    scope_.post([this, cause, generation = generation_] {
      if (generation == generation_) environment_.listener.failJob(cause);
    });
  }
}

void CheckpointCoordinator::onTimeout(int64_t checkpoint_id) {
  abort(checkpoint_id, FailureReason::kCheckpointExpired,
        absl::StrFormat("%s (timeout_ms=%d)",
                        pending_.at(checkpoint_id).checkpoint->describeMissing(topology_),
                        settings_.timeout_ms));
  considerBeginning();
}

void CheckpointCoordinator::abortUnacknowledged(FailureReason reason, const std::string& message) {
  std::vector<int64_t> ids;
  for (const auto& [id, pending] : pending_) {
    if (!isCompleting(id)) ids.push_back(id);
  }
  for (const int64_t id : ids) abort(id, reason, message);
}

bool CheckpointCoordinator::isCompleting(int64_t checkpoint_id) const {
  return std::find(completing_.begin(), completing_.end(), checkpoint_id) != completing_.end();
}

// ---- Start, restart, end ----

void CheckpointCoordinator::start(const std::string& restore_path, bool allow_non_restored_state,
                                  OnRestore done) {
  allow_non_restored_state_ = allow_non_restored_state;
  const bool has_path = !restore_path.empty();
  scope_.execute(
      [storage = environment_.storage, on = trigger_.has_value(), has_path,
       restore_path]() -> absl::StatusOr<StoredCheckpoint> {
        StoredCheckpoint loaded;
        if (has_path) {
          WIESEL_ASSIGN_OR_RETURN(loaded, storage->load(restore_path));
        }
        if (on) WIESEL_RETURN_IF_ERROR(storage->initialize());
        return loaded;
      },
      [this, has_path, done = std::move(done)](absl::StatusOr<StoredCheckpoint> loaded) {
        onStarted(std::move(loaded), has_path, done);
      });
}

void CheckpointCoordinator::onStarted(absl::StatusOr<StoredCheckpoint> loaded, bool has_path,
                                      const OnRestore& done) {
  if (end_) return finishTerminal();
  if (!loaded.ok()) return done(loaded.status());
  if (has_path) {
    next_id_ = loaded->metadata.checkpoint_id + 1;
    completed_.addRestored(*std::move(loaded));
  }
  done(assignLatest());
}

void CheckpointCoordinator::jobRestarting(const std::string& cause) {
  if (end_) return;
  ++generation_;
  stopTicking();
  states_.reset();
  abortUnacknowledged(FailureReason::kCheckpointCoordinatorSuspend,
                      "the job is restarting: " + cause);
}

void CheckpointCoordinator::restoreLatest(OnRestore done) {
  waiting_restores_.push_back(std::move(done));
  scope_.post([this] { serveRestores(); });
}

void CheckpointCoordinator::serveRestores() {
  if (!completing_.empty() || end_) return;
  for (const OnRestore& done : std::exchange(waiting_restores_, {})) done(assignLatest());
}

absl::StatusOr<JobRestore> CheckpointCoordinator::assignLatest() {
  const StoredCheckpoint* latest = completed_.latest();
  finished_on_restore_.clear();
  if (latest == nullptr) return JobRestore::nothing(topology_);
  auto restore = assignState(latest->metadata, latest->names, topology_, allow_non_restored_state_);
  if (!restore.ok()) {
    return annotate(restore.status(),
                    absl::StrFormat("cannot restore checkpoint %d from '%s'",
                                    latest->metadata.checkpoint_id, latest->path));
  }
  restore->directory = latest->directory;
  for (const auto& tasks : restore->tasks) {
    std::vector<bool>& finished = finished_on_restore_.emplace_back();
    for (const TaskRestore& task : tasks) finished.push_back(task.finished);
  }
  ++counts_.restored;
  // A job that fails again and again does so many times.
  if (std::exchange(told_restore_, restore->checkpoint_id) != restore->checkpoint_id) {
    WIESEL_LOG(INFO) << absl::StrFormat("Restoring job %s from checkpoint %d (path=%s)",
                                        job_.toHex(), restore->checkpoint_id, latest->path);
  }
  return restore;
}

void CheckpointCoordinator::jobTerminal(JobEnd end, std::function<void()> done) {
  WIESEL_CHECK(!end_) << "the job has ended before";
  ++generation_;
  stopTicking();
  states_.reset();
  end_ = end;
  on_terminal_done_ = std::move(done);
  abortUnacknowledged(FailureReason::kCheckpointCoordinatorShutdown, "the job has ended");
  scope_.post([this] { finishTerminal(); });
}

/// Once nothing is being stored any more applies the retention; once nothing is under way tells.
void CheckpointCoordinator::finishTerminal() {
  if (!end_ || !completing_.empty()) return;
  if (!retention_applied_) {
    retention_applied_ = true;
    cleaner_.tryAgain();
    for (const int64_t id : completed_.shutDown(settings_.retention, *end_)) cleaner_.remove(id);
  }
  if (scope_.executing() > 0 || !on_terminal_done_) return;
  std::exchange(on_terminal_done_, nullptr)();
}

CheckpointCounts CheckpointCoordinator::counts() const {
  CheckpointCounts counts = counts_;
  counts.in_progress = static_cast<int>(pending_.size());
  return counts;
}

const StoredCheckpoint* CheckpointCoordinator::latestCompleted() const {
  return completed_.latestOwn();
}

}  // namespace wiesel::checkpoint
