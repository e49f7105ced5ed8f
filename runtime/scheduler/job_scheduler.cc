#include "runtime/scheduler/job_scheduler.h"

#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/check.h"
#include "common/filesystem/file_system.h"
#include "common/log.h"
#include "runtime/graph/failure_text.h"
#include "runtime/scheduler/state_created.h"
#include "runtime/scheduler/state_failing.h"
#include "runtime/scheduler/state_restarting.h"

namespace wiesel::runtime {
namespace {

// The other states are the JobManager's own, or come from somebody who speaks another language.
bool isReportedByWorkers(ExecutionState state) {
  return state == proto::INITIALIZING || state == proto::RUNNING || isTerminal(state);
}

}  // namespace

JobScheduler::JobScheduler(const Environment& environment, const SchedulerSettings& settings,
                           std::function<void()> on_terminal)
    : environment_(environment),
      settings_(settings),
      on_terminal_(std::move(on_terminal)),
      loop_(environment.loop),
      plan_(planSlots(environment.graph.jobGraph())),
      slots_(plan_.num_slots),
      history_(static_cast<size_t>(settings.exception_history_size)) {
  for (std::unique_ptr<LoopTimer>& timer : timers_) {
    timer = std::make_unique<LoopTimer>(environment.loop);
  }
  status_entered_ms_[static_cast<size_t>(status_)] = wallMs();
  goTo(std::make_unique<Created>(*this));
}

JobScheduler::~JobScheduler() = default;

// ---- Commands and events ----

void JobScheduler::start(checkpoint::JobRestore restore) {
  restore_ = std::move(restore);
  setStatus(JobStatus::kCreated);
  state_->onResourcesChanged();
}

void JobScheduler::fail(const std::string& message, Recovery recovery) {
  state_->onFailure(newFailure(message, recovery));
}

void JobScheduler::onSlots(const std::vector<SlotOffer>& offers) {
  slots_.add(offers);
  state_->onResourcesChanged();
}

void JobScheduler::onSlotsLost(const std::string& task_manager_id) {
  slots_.removeTaskManager(task_manager_id);
  state_->onResourcesChanged();
}

void JobScheduler::onWorkerLost(const std::string& worker_id, const std::string& task_manager_id,
                                const std::string& cause, bool cause_known) {
  JobFailure failure = newFailure(cause, Recovery::kByStrategy);
  failure.task_manager_id = task_manager_id;
  failure.lost_worker_id = worker_id;
  failure.cause_known = cause_known;
  for (const SubtaskId id : graph().subtasks()) {
    const Execution& execution = graph().execution(id);
    if (execution.worker_id != worker_id || isTerminal(execution.state)) continue;
    const bool canceling = execution.state == proto::CANCELING;
    environment_.graph.transition(id, canceling ? proto::CANCELED : proto::FAILED, wallMs());
    if (failure.info.task_name().empty()) failure.info.set_task_name(graph().taskNameOf(id));
  }
  failure.attempt = graph().attempt();
  if (cause_known) history_.learnCause(worker_id, cause);
  state_->onFailure(failure);
  state_->onTasksChanged();
}

void JobScheduler::onWorkerCause(const std::string& worker_id, const std::string& cause) {
  if (!history_.learnCause(worker_id, cause)) return;
  WIESEL_LOG(INFO) << "The failure of job " << jobId() << " was: " << cause;
  state_->onCauseLearnt();
}

void JobScheduler::onTaskState(const std::string& worker_id,
                               const proto::TaskStateChanged& change) {
  const std::optional<SubtaskId> id = graph().find(change.task());
  if (!id.has_value() || graph().execution(*id).worker_id != worker_id) return;
  if (!moveTask(*id, change)) return;
  const ExecutionState now = graph().execution(*id).state;
  if (now == proto::RUNNING) checkpoints().taskRunning(*id);
  if (now == proto::FINISHED) checkpoints().taskFinished(*id);
  if (now == proto::FAILED) state_->onFailure(failureOf(*id, change.failure()));
  state_->onTasksChanged();
}

bool JobScheduler::moveTask(SubtaskId id, const proto::TaskStateChanged& change) {
  if (!isReportedByWorkers(change.state())) return false;
  const ExecutionState before = graph().execution(id).state;
  ExecutionState to = change.state();
  // Whatever way a task ended that was asked to end, it is cancelled.
  if (before == proto::CANCELING && isTerminal(to)) to = proto::CANCELED;
  // One that was not asked to has no reason to.
  if (before != proto::CANCELING && to == proto::CANCELED) to = proto::FAILED;
  if (change.end_of_data() && !graph().execution(id).end_of_data) {
    environment_.graph.setEndOfData(id);
    checkpoints().taskReachedEnd(id);
  }
  return environment_.graph.transition(id, to, wallMs());
}

JobFailure JobScheduler::failureOf(SubtaskId id, const proto::Failure& info) const {
  JobFailure failure = newFailure(
      info.message(), info.suppress_restarts() ? Recovery::kNever : Recovery::kByStrategy);
  const std::string message = failure.info.message();
  failure.info = info;
  failure.info.set_message(message.empty() ? "the task ended without a reason" : message);
  failure.info.set_trace(boundedFailureText(info.trace()));
  failure.info.set_task_name(graph().taskNameOf(id));
  failure.info.set_subtask(id.subtask);
  failure.info.set_parallelism(graph().vertices()[id.vertex].parallelism());
  failure.attempt = graph().attempt();
  failure.task_manager_id = graph().execution(id).task_manager_id;
  failure.lost_worker_id = info.lost_worker_id();
  failure.cause_known = info.lost_worker_id().empty();
  return failure;
}

JobFailure JobScheduler::newFailure(const std::string& message, Recovery recovery) const {
  JobFailure failure;
  failure.info.set_message(boundedFailureText(message));
  failure.timestamp_ms = wallMs();
  failure.recovery = recovery;
  return failure;
}

// ---- What it looks like ----

std::string JobScheduler::waitingText() const {
  if (status_ != JobStatus::kRunning) return {};
  if (slots_.missing() > 0) {
    return absl::StrFormat("waiting for %d %s, %d there", slots_.size(),
                           slots_.size() == 1 ? "slot" : "slots",
                           environment_.resources.slotsThereFor(jobId()));
  }
  int32_t starting = 0;
  for (const auto& [task_manager_id, slots] : slots_.taskManagers()) {
    if (environment_.workers.readyOn(task_manager_id) == nullptr) ++starting;
  }
  if (starting == 0) return {};
  return absl::StrFormat("waiting for %d worker %s to start", starting,
                         starting == 1 ? "process" : "processes");
}

// ---- For its states ----

void JobScheduler::goTo(std::unique_ptr<SchedulerState> next) {
  for (const std::unique_ptr<LoopTimer>& timer : timers_) timer->cancel();
  if (state_ != nullptr) {
    if (left_.empty()) loop_.post([this] { left_.clear(); });
    left_.push_back(std::move(state_));
  }
  state_ = std::move(next);
  setStatus(state_->status());
  state_->enter();
}

void JobScheduler::setStatus(JobStatus status) {
  if (status == status_) return;
  const bool is_of_restart = status == JobStatus::kRestarting || status == JobStatus::kRunning;
  if (!is_quiet_ || !is_of_restart) {
    WIESEL_LOG(INFO) << absl::StrFormat("Job %s went from %s to %s (attempt=%d)", jobId(),
                                        std::string(nameOf(status_)), std::string(nameOf(status)),
                                        graph().attempt());
  }
  status_ = status;
  status_entered_ms_[static_cast<size_t>(status)] = wallMs();
}

void JobScheduler::schedule() {
  for (const SubtaskId id : graph().subtasks()) {
    environment_.graph.transition(id, proto::SCHEDULED, wallMs());
  }
  environment_.resources.requireSlots(jobId(), plan_.num_slots);
}

void JobScheduler::ensureWorkers() {
  for (const auto& [task_manager_id, slots] : slots_.taskManagers()) {
    workers().ensureWorker(task_manager_id, slots);
  }
}

bool JobScheduler::canDeploy() const {
  if (slots_.missing() > 0 || !restore_.has_value()) return false;
  for (const auto& [task_manager_id, slots] : slots_.taskManagers()) {
    if (environment_.workers.readyOn(task_manager_id) == nullptr) return false;
  }
  return true;
}

std::vector<Placement> JobScheduler::placements() const {
  std::vector<Placement> of_slot;
  for (int32_t slot = 0; slot < slots_.size(); ++slot) {
    const WorkerPool::Worker& worker = *environment_.workers.readyOn(slots_.taskManagerOf(slot));
    of_slot.push_back({worker.id, worker.task_manager_id, worker.data_address});
  }
  return of_slot;
}

void JobScheduler::deploy() {
  WIESEL_CHECK(canDeploy());
  was_deployed_ = true;
  const std::vector<Placement> of_slot = placements();
  const PlacementOf placement_of = [&](SubtaskId id) -> const Placement& {
    return of_slot[plan_.first_slot[id.vertex] + id.subtask];
  };
  const proto::CheckpointSettings& checkpointing = graph().jobGraph().checkpointing();
  std::map<std::string, proto::MasterToWorker> message_of_worker;
  for (const SubtaskId id : graph().subtasks()) {
    const Placement& placement = placement_of(id);
    environment_.graph.place(id, placement.worker_id, placement.task_manager_id);
    environment_.graph.transition(id, proto::DEPLOYING, wallMs());
    proto::DeployTasks& deploy = *message_of_worker[placement.worker_id].mutable_deploy();
    *deploy.add_tasks() = describeTask(graph(), id, placement_of, *restore_);
    if (!checkpointing.directory().empty()) {
      deploy.set_checkpoint_directory(
          joinPath(stripFileScheme(checkpointing.directory()), jobId()));
    }
  }
  if (!is_quiet_) {
    WIESEL_LOG(INFO) << absl::StrFormat(
        "Deployed job %s (attempt=%d, tasks=%d, workers=%d, restored_checkpoint=%d)", jobId(),
        graph().attempt(), graph().subtasks().size(), message_of_worker.size(),
        restore_->checkpoint_id);
  }
  restore_.reset();
  for (auto& [worker, message] : message_of_worker) workers().send(worker, std::move(message));
}

void JobScheduler::handleFailure(const JobFailure& failure) {
  std::optional<int64_t> delay_ms;
  std::string job_exception = "The failure is not recoverable";
  if (failure.recovery != Recovery::kNever) {
    delay_ms = environment_.restarts.onFailure(environment_.clock.monotonicNs() / 1'000'000);
    if (!delay_ms) job_exception = "Recovery is suppressed by " + environment_.restarts.text();
    if (failure.recovery == Recovery::kOnceDeployed && !was_deployed_) delay_ms.reset();
  }
  if (!delay_ms.has_value()) {
    history_.add(failure, job_exception);
    return goTo(std::make_unique<Failing>(*this));
  }
  history_.add(failure, {});
  tellOfRestart(failure, *delay_ms);
  goTo(std::make_unique<Restarting>(*this, *delay_ms));
}

void JobScheduler::tellOfRestart(const JobFailure& failure, int64_t delay_ms) {
  const std::string cause = failure.info.operator_name() + ": " + failure.info.message();
  const std::optional<int64_t> times =
      repeated_failures_.onFailure(cause, environment_.clock.monotonicNs() / 1'000'000);
  is_quiet_ = !times.has_value();
  if (is_quiet_) return;
  WIESEL_LOG(WARN) << absl::StrFormat(
      "Job %s failed and starts again (attempt=%d, delay_ms=%d%s): %s", jobId(), graph().attempt(),
      delay_ms, *times == 1 ? "" : absl::StrFormat(", times_since_last_told=%d", *times),
      failureLine(failure));
}

void JobScheduler::cancelTasks(const std::string& cause) {
  checkpoints().jobRestarting(cause);
  std::map<std::string, proto::MasterToWorker> message_of_worker;
  for (const SubtaskId id : graph().subtasks()) {
    const Execution& execution = graph().execution(id);
    if (isTerminal(execution.state) || execution.state == proto::CANCELING) continue;
    if (workers().find(execution.worker_id) == nullptr) {  // Not deployed, or its worker is gone.
      environment_.graph.transition(id, proto::CANCELED, wallMs());
      continue;
    }
    environment_.graph.transition(id, proto::CANCELING, wallMs());
    proto::CancelTasks& cancel = *message_of_worker[execution.worker_id].mutable_cancel();
    *cancel.add_tasks() = graph().refOf(id);
  }
  for (auto& [worker, message] : message_of_worker) workers().send(worker, std::move(message));
}

void JobScheduler::killWorkersThatDoNotCancel() {
  std::map<std::string, std::string> task_of_worker;
  for (const SubtaskId id : graph().subtasks()) {
    const Execution& execution = graph().execution(id);
    if (!isTerminal(execution.state)) task_of_worker[execution.worker_id] = graph().taskNameOf(id);
  }
  for (const auto& [worker, task] : task_of_worker) {
    workers().kill(worker, absl::StrFormat("task '%s' did not react to cancelling within %d ms "
                                           "(task.cancellation.timeout)",
                                           task, settings_.cancellation_timeout_ms));
  }
}

void JobScheduler::restoreLatest() {
  restore_.reset();
  const int32_t number = ++num_restores_;
  checkpoints().restoreLatest(
      loop_.guard([this, number](absl::StatusOr<checkpoint::JobRestore> restore) {
        onRestored(number, std::move(restore));
      }));
}

void JobScheduler::onRestored(int32_t number, absl::StatusOr<checkpoint::JobRestore> restore) {
  if (number != num_restores_) return;
  if (!restore.ok()) {
    return fail(
        "the latest checkpoint cannot be restored: " + std::string(restore.status().message()),
        Recovery::kNever);
  }
  restore_ = *std::move(restore);
  state_->onResourcesChanged();
}

void JobScheduler::beginNextAttempt() { environment_.graph.beginNextAttempt(wallMs()); }

void JobScheduler::end(JobStatus status) {
  workers().shutDown(absl::StrFormat("job %s is %s", jobId(), std::string(nameOf(status))));
  environment_.resources.removeJob(jobId());
  const checkpoint::JobEnd how = status == JobStatus::kFinished   ? checkpoint::JobEnd::kFinished
                                 : status == JobStatus::kCanceled ? checkpoint::JobEnd::kCanceled
                                                                  : checkpoint::JobEnd::kFailed;
  checkpoints().jobTerminal(how, loop_.guard([this, status] {
    setStatus(status);
    on_terminal_();
  }));
}

}  // namespace wiesel::runtime
