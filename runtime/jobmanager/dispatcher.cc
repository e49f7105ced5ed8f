#include "runtime/jobmanager/dispatcher.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"

namespace wiesel::runtime {

Dispatcher::Dispatcher(const JobMasterEnvironment& environment, DispatcherSettings settings)
    : environment_(environment), settings_(settings), loop_(environment.loop) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::submit(JobSubmission submission, OnSubmitted done) {
  const std::string id = submission.graph.job_id();
  const std::string name = submission.graph.name();
  if (job(id).has_value()) {
    return loop_.post([id, done = std::move(done)] {
      done(absl::AlreadyExistsError(
          absl::StrFormat("job %s was submitted before; a job id is used once", id)));
    });
  }
  auto master = JobMaster::create(environment_, settings_.jobs, std::move(submission));
  if (!master.ok()) {
    WIESEL_LOG(WARN) << absl::StrFormat("Refused job '%s' (%s): %s", name, id,
                                        master.status().ToString());
    return loop_.post([status = master.status(), done = std::move(done)] { done(status); });
  }
  WIESEL_LOG(INFO) << absl::StrFormat("Received job '%s' (%s)", name, id);
  JobMaster& started = **master;
  running_[id].master = *std::move(master);
  order_.push_back(id);
  started.initialize([this, id, done = std::move(done)](const absl::Status& status) {
    // An event of its own: the JobMaster, which is calling, may be destroyed.
    loop_.post([this, id, status, done] { onInitialized(id, status, done); });
  });
}

void Dispatcher::onInitialized(const std::string& job_id, const absl::Status& status,
                               const OnSubmitted& done) {
  RunningJob& job = running_.at(job_id);
  if (!status.ok()) {
    WIESEL_LOG(WARN) << absl::StrFormat("Refused job %s: %s", job_id, status.ToString());
    const RunningJob refused = std::move(job);
    running_.erase(job_id);
    std::erase(order_, job_id);
    done(status);
    for (const OnTerminal& waiting : refused.waiting) waiting(status);
    return;
  }
  job.master->run([this, job_id] { onTerminal(job_id); });
  done(job_id);
}

void Dispatcher::onTerminal(const std::string& job_id) {
  const auto found = running_.find(job_id);
  RunningJob over = std::move(found->second);
  running_.erase(found);
  std::erase(order_, job_id);
  const JobView view = over.master->view();
  finished_.push_front(view);
  expire();
  // The JobMaster is calling: it goes when the loop turns.
  over_.push_back(std::move(over.master));
  loop_.post([this] { over_.clear(); });
  for (const OnTerminal& done : over.waiting) done(view);
}

absl::Status Dispatcher::cancel(const std::string& job_id) {
  const auto running = running_.find(job_id);
  if (running != running_.end()) {
    running->second.master->cancel();
    return absl::OkStatus();
  }
  const std::optional<JobView> view = job(job_id);
  if (!view.has_value()) {
    return absl::NotFoundError(absl::StrFormat("Could not find Flink job (%s)", job_id));
  }
  if (view->status == JobStatus::kCanceled) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "Job cancellation failed because the job has already reached another terminal state (%s).",
      std::string(nameOf(view->status))));
}

void Dispatcher::waitFor(const std::string& job_id, OnTerminal done) {
  const auto running = running_.find(job_id);
  if (running != running_.end()) {
    running->second.waiting.push_back(std::move(done));
    return;
  }
  std::optional<JobView> view = job(job_id);
  if (view.has_value()) return answer(std::move(done), *std::move(view));
  answer(std::move(done),
         absl::NotFoundError(absl::StrFormat("Could not find Flink job (%s)", job_id)));
}

void Dispatcher::answer(OnTerminal done, absl::StatusOr<JobView> view) {
  loop_.post([done = std::move(done), view = std::move(view)] { done(view); });
}

std::vector<JobView> Dispatcher::jobs() const {
  expire();
  std::vector<JobView> views;
  for (const std::string& id : order_) views.push_back(running_.at(id).master->view());
  views.insert(views.end(), finished_.begin(), finished_.end());
  return views;
}

std::optional<JobView> Dispatcher::job(const std::string& job_id) const {
  expire();
  const auto running = running_.find(job_id);
  if (running != running_.end()) return running->second.master->view();
  for (const JobView& view : finished_) {
    if (view.id == job_id) return view;
  }
  return std::nullopt;
}

void Dispatcher::expire() const {
  const int64_t now_ms = environment_.clock.wallMs();
  while (!finished_.empty() &&
         (now_ms - finished_.back().end_ms > settings_.expiration_ms ||
          finished_.size() > static_cast<size_t>(std::max(settings_.max_finished_jobs, 0)))) {
    finished_.pop_back();
  }
}

void Dispatcher::acceptTaskManager(std::unique_ptr<ResourceManager::TaskManagerLink> link) {
  environment_.resources.acceptTaskManager(std::move(link));
}

void Dispatcher::acceptWorker(std::unique_ptr<WorkerLink> link) {
  const uint64_t key = next_key_++;
  const auto worker = std::make_shared<WorkerConnection>(std::move(link));
  unregistered_workers_[key] = worker;
  worker->start(loop_.guard([this, key](const proto::WorkerToMaster& message) {
    onFirstMessage(key, message);
  }),
                loop_.guard([this, key](const std::string&) { unregistered_workers_.erase(key); }));
  loop_.postAfter(settings_.jobs.workers.heartbeat_timeout_ms,
                  [this, key] { unregistered_workers_.erase(key); });
}

void Dispatcher::onFirstMessage(uint64_t key, const proto::WorkerToMaster& message) {
  const auto found = unregistered_workers_.find(key);
  if (found == unregistered_workers_.end()) return;
  const std::shared_ptr<WorkerConnection> worker = found->second;
  unregistered_workers_.erase(found);
  const auto job = running_.find(message.register_().job_id());
  if (message.has_register_() && job != running_.end()) {
    return job->second.master->acceptWorker(message.register_(), worker);
  }
  proto::MasterToWorker shutdown;
  shutdown.set_shutdown(message.has_register_() ? "its job is over" : "it did not register first");
  worker->send(std::move(shutdown));
  worker->close();
}

}  // namespace wiesel::runtime
