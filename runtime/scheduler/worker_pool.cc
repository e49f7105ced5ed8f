#include "runtime/scheduler/worker_pool.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/ids.h"
#include "common/log.h"

namespace wiesel::runtime {

WorkerPool::WorkerPool(EventLoop& loop, const Clock& clock, RandomSource& random,
                       ResourceManager& resources, WorkerListener& listener,
                       WorkerSettings settings, const proto::JobGraph& graph,
                       proto::StartWorker start)
    : loop_(loop),
      clock_(clock),
      random_(random),
      resources_(resources),
      listener_(listener),
      settings_(settings),
      graph_(graph),
      start_(std::move(start)),
      heartbeats_(settings.heartbeat_timeout_ms) {
  loop_.postAfter(settings_.heartbeat_interval_ms, [this] { beat(); });
}

WorkerPool::~WorkerPool() { shutDown("the job is gone"); }

void WorkerPool::ensureWorker(const std::string& task_manager_id, int32_t slots) {
  for (const auto& [id, worker] : workers_) {
    if (worker.task_manager_id == task_manager_id) return;
  }
  proto::StartWorker start = start_;
  const std::string id = randomId(random_).toHex();
  start.set_worker_id(id);
  if (!resources_.startWorker(task_manager_id, std::move(start), slots)) return;
  workers_[id] = {id, task_manager_id, {}, false, nullptr};
  WIESEL_LOG(INFO) << absl::StrFormat("Started worker %s of job %s on TaskManager %s", id,
                                      start_.job_id(), task_manager_id);
}

void WorkerPool::accept(const proto::RegisterWorker& registration,
                        std::shared_ptr<WorkerConnection> connection) {
  const std::string id = registration.worker_id();
  const auto found = workers_.find(id);
  if (found == workers_.end() || found->second.ready) {
    proto::MasterToWorker shutdown;
    shutdown.set_shutdown("this worker is not expected any more");
    connection->send(std::move(shutdown));
    connection->close();
    return;
  }
  Worker& worker = found->second;
  worker.connection = std::move(connection);
  if (!registration.graph_error().empty()) return onGraphError(id, registration.graph_error());
  worker.ready = true;
  worker.data_address = registration.data_address();
  worker.connection->handOver(
      [this, id](const proto::WorkerToMaster& message) { onMessage(id, message); },
      [this, id](const std::string& why) { onClosed(id, why); });
  proto::MasterToWorker job;
  *job.mutable_job() = graph_;
  worker.connection->send(std::move(job));
  listener_.onWorkerReady(id);
}

void WorkerPool::onMessage(const std::string& worker_id, const proto::WorkerToMaster& message) {
  const int64_t now_ms = clock_.monotonicNs() / 1'000'000;
  // A worker is watched from its first heartbeat on.
  if (message.has_heartbeat()) return heartbeats_.heard(worker_id, now_ms);
  heartbeats_.heardIfWatched(worker_id, now_ms);
  // A worker compares the graph once it has it, so its complaint comes as a second registration.
  if (message.has_register_()) return onGraphError(worker_id, message.register_().graph_error());
  listener_.onWorkerMessage(worker_id, message);
}

void WorkerPool::onGraphError(const std::string& worker_id, const std::string& what_differs) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  const std::string task_manager_id = found->second.task_manager_id;
  // Kept until the end of this call, which may be inside a callback of the connection.
  const std::shared_ptr<WorkerConnection> connection = std::move(found->second.connection);
  workers_.erase(found);
  heartbeats_.forget(worker_id);
  connection->close();
  resources_.stopWorkerLater(task_manager_id, worker_id, settings_.shutdown_grace_ms);
  listener_.onGraphError(worker_id, what_differs);
  listener_.onWorkerLost(worker_id, task_manager_id, what_differs, /*cause_known=*/true);
}

void WorkerPool::onClosed(const std::string& worker_id, const std::string& why) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  const std::string task_manager_id = found->second.task_manager_id;
  heartbeats_.forget(worker_id);
  workers_.erase(found);
  lost_[worker_id] = {task_manager_id};
  const std::string cause =
      describe("the connection to its worker process was closed: " + why, task_manager_id);
  loop_.postAfter(settings_.cause_grace_ms, [this, worker_id, cause] {
    const auto lost = lost_.find(worker_id);
    if (lost == lost_.end()) return;
    resources_.stopWorker(lost->second.task_manager_id, worker_id);
    learnCause(worker_id, cause);
  });
  listener_.onWorkerLost(worker_id, task_manager_id, cause, /*cause_known=*/false);
}

void WorkerPool::onWorkerExited(const std::string& worker_id, const std::string& cause) {
  if (const Worker* worker = find(worker_id)) {
    return remove(worker_id, describe(cause, worker->task_manager_id));
  }
  const auto lost = lost_.find(worker_id);
  if (lost != lost_.end()) learnCause(worker_id, describe(cause, lost->second.task_manager_id));
}

void WorkerPool::onTaskManagerLost(const std::string& task_manager_id, const std::string& cause) {
  const std::string text = absl::StrFormat("lost TaskManager %s: %s", task_manager_id, cause);
  std::vector<std::string> gone;
  for (const auto& [id, worker] : workers_) {
    if (worker.task_manager_id == task_manager_id) gone.push_back(id);
  }
  std::vector<std::string> explained;
  for (const auto& [id, lost] : lost_) {
    if (lost.task_manager_id == task_manager_id) explained.push_back(id);
  }
  for (const std::string& id : gone) remove(id, text);
  for (const std::string& id : explained) learnCause(id, text);
}

void WorkerPool::learnCause(const std::string& worker_id, const std::string& cause) {
  if (lost_.erase(worker_id) > 0) listener_.onWorkerCause(worker_id, cause);
}

void WorkerPool::kill(const std::string& worker_id, const std::string& cause) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  const std::string task_manager_id = found->second.task_manager_id;
  resources_.stopWorker(task_manager_id, worker_id);
  remove(worker_id, describe(cause, task_manager_id));
}

void WorkerPool::killStarting(const std::string& cause) {
  std::vector<std::string> starting;
  for (const auto& [id, worker] : workers_) {
    if (!worker.ready) starting.push_back(id);
  }
  for (const std::string& id : starting) kill(id, cause);
}

void WorkerPool::remove(const std::string& worker_id, const std::string& cause) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  const Worker worker = std::move(found->second);
  workers_.erase(found);
  heartbeats_.forget(worker_id);
  if (worker.connection != nullptr) worker.connection->close();
  listener_.onWorkerLost(worker_id, worker.task_manager_id, cause, /*cause_known=*/true);
}

void WorkerPool::shutDown(const std::string& why) {
  for (auto& [id, worker] : std::exchange(workers_, {})) {
    if (worker.connection == nullptr) {
      resources_.stopWorker(worker.task_manager_id, id);
      continue;
    }
    proto::MasterToWorker shutdown;
    shutdown.set_shutdown(why);
    worker.connection->send(std::move(shutdown));
    worker.connection->close();
    resources_.stopWorkerLater(worker.task_manager_id, id, settings_.shutdown_grace_ms);
  }
  for (const auto& [id, lost] : std::exchange(lost_, {})) {
    resources_.stopWorker(lost.task_manager_id, id);
  }
}

const WorkerPool::Worker* WorkerPool::readyOn(const std::string& task_manager_id) const {
  for (const auto& [id, worker] : workers_) {
    if (worker.task_manager_id == task_manager_id && worker.ready) return &worker;
  }
  return nullptr;
}

const WorkerPool::Worker* WorkerPool::find(const std::string& worker_id) const {
  const auto found = workers_.find(worker_id);
  return found == workers_.end() ? nullptr : &found->second;
}

void WorkerPool::send(const std::string& worker_id, proto::MasterToWorker message) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end() || !found->second.ready) return;
  found->second.connection->send(std::move(message));
}

std::string WorkerPool::describe(const std::string& cause,
                                 const std::string& task_manager_id) const {
  return absl::StrFormat("%s (TaskManager %s)", cause, task_manager_id);
}

void WorkerPool::beat() {
  const int64_t now_ms = clock_.monotonicNs() / 1'000'000;
  for (const std::string& id : heartbeats_.silentAt(now_ms)) {
    kill(id, absl::StrFormat("the worker process sent no heartbeat for %d ms (heartbeat.timeout)",
                             settings_.heartbeat_timeout_ms));
  }
  for (auto& [id, worker] : workers_) {
    if (!worker.ready) continue;
    proto::MasterToWorker heartbeat;
    heartbeat.mutable_heartbeat();
    worker.connection->send(std::move(heartbeat));
  }
  loop_.postAfter(settings_.heartbeat_interval_ms, [this] { beat(); });
}

}  // namespace wiesel::runtime
