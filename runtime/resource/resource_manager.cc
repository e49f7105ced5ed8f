#include "runtime/resource/resource_manager.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/check.h"
#include "common/log.h"

namespace wiesel::runtime {

ResourceManager::ResourceManager(EventLoop& loop, const Clock& clock, ResourceSettings settings)
    : loop_(loop),
      clock_(clock),
      settings_(std::move(settings)),
      slots_(settings_.spread),
      heartbeats_(settings_.heartbeat_timeout_ms) {
  loop_.postAfter(settings_.heartbeat_interval_ms, [this] { beat(); });
}

ResourceManager::~ResourceManager() = default;

void ResourceManager::acceptTaskManager(std::unique_ptr<TaskManagerLink> link) {
  const uint64_t key = next_key_++;
  TaskManagerLink& started = *link;
  connections_[key].link = std::move(link);
  started.start(loop_.guard([this, key](const proto::TaskManagerToMaster& message) {
    onMessage(key, message);
  }),
                loop_.guard([this, key](const std::string& why) {
                  drop(key, "its connection was closed: " + why);
                }));
  loop_.postAfter(settings_.heartbeat_timeout_ms, [this, key] {
    const auto found = connections_.find(key);
    if (found == connections_.end() || found->second.registration.has_value()) return;
    drop(key, "it did not register");
  });
}

void ResourceManager::onMessage(uint64_t key, const proto::TaskManagerToMaster& message) {
  const auto found = connections_.find(key);
  if (found == connections_.end()) return;
  Connection& connection = found->second;
  if (message.has_register_()) return onRegister(key, message.register_());
  if (!connection.registration.has_value())
    return drop(key, "it sent something before it registered");
  connection.last_heartbeat_ms = clock_.wallMs();
  heartbeats_.heardIfWatched(connection.registration->id(), nowMs());
  if (!message.has_worker_exited()) return;
  const auto job = jobs_.find(message.worker_exited().job_id());
  if (job == jobs_.end()) return;
  job->second->onWorkerExited(message.worker_exited().worker_id(), message.worker_exited().cause());
}

void ResourceManager::onRegister(uint64_t key, const proto::RegisterTaskManager& registration) {
  if (const std::optional<std::string> why = whyRefused(registration)) {
    WIESEL_LOG(WARN) << "Refused TaskManager '" << registration.id() << "': " << *why;
    proto::MasterToTaskManager answer;
    answer.set_refused(*why);
    connections_.at(key).link->send(std::move(answer));
    return drop(key, *why);
  }
  if (connections_.at(key).registration.has_value()) return;  // Said twice on one connection.
  for (auto& [other_key, other] : connections_) {
    if (!other.registration.has_value() || other.registration->id() != registration.id()) continue;
    drop(other_key, "a TaskManager with the same id has registered");
    break;
  }
  Connection& connection = connections_.at(key);
  connection.registration = registration;
  connection.registered_ms = connection.last_heartbeat_ms = clock_.wallMs();
  heartbeats_.heard(registration.id(), nowMs());
  slots_.addTaskManager(registration.id(), registration.slots());
  proto::MasterToTaskManager answer;
  answer.mutable_registered()->set_heartbeat_interval_ms(settings_.heartbeat_interval_ms);
  answer.mutable_registered()->set_heartbeat_timeout_ms(settings_.heartbeat_timeout_ms);
  connection.link->send(std::move(answer));
  WIESEL_LOG(INFO) << absl::StrFormat("Registered TaskManager %s (host=%s, pid=%d, slots=%d)",
                                      registration.id(), registration.host(), registration.pid(),
                                      registration.slots());
  assignSoon();
}

std::optional<std::string> ResourceManager::whyRefused(
    const proto::RegisterTaskManager& registration) const {
  if (registration.id().empty()) return "it has no id";
  if (registration.slots() < 1 || registration.slots() > 100'000) {
    return absl::StrFormat("taskmanager.numberOfTaskSlots is %d: it has to be from 1 to 100000",
                           registration.slots());
  }
  if (!settings_.version.empty() && registration.version() != settings_.version) {
    return absl::StrFormat("its version is '%s' and the JobManager's '%s'", registration.version(),
                           settings_.version);
  }
  return std::nullopt;
}

// The connection is forgotten before anybody is told, so that callbacks find a consistent state.
void ResourceManager::drop(uint64_t key, const std::string& cause) {
  const auto found = connections_.find(key);
  if (found == connections_.end()) return;
  const Connection connection = std::move(found->second);
  connections_.erase(found);
  connection.link->close();
  if (!connection.registration.has_value()) return;
  const std::string id = connection.registration->id();
  WIESEL_LOG(WARN) << "Lost TaskManager " << id << ": " << cause;
  heartbeats_.forget(id);
  const std::map<std::string, int32_t> jobs = slots_.jobsOn(id);
  slots_.removeTaskManager(id);
  assignSoon();
  for (const auto& [job, slots] : jobs) {
    const auto holder = jobs_.find(job);
    if (holder != jobs_.end()) holder->second->onTaskManagerLost(id, cause);
  }
}

void ResourceManager::addJob(const std::string& job_id, SlotHolder& holder) {
  WIESEL_CHECK(jobs_.emplace(job_id, &holder).second) << job_id;
}

void ResourceManager::removeJob(const std::string& job_id) {
  jobs_.erase(job_id);
  slots_.require(job_id, 0);
  assignSoon();
}

void ResourceManager::requireSlots(const std::string& job_id, int32_t slots) {
  slots_.require(job_id, slots);
  assignSoon();
}

int32_t ResourceManager::slotsThereFor(const std::string& job_id) const {
  return slots_.heldBy(job_id) + slots_.freeSlots();
}

bool ResourceManager::startWorker(const std::string& task_manager_id, proto::StartWorker message,
                                  int32_t slots) {
  Connection* connection = find(task_manager_id);
  if (connection == nullptr) return false;
  const proto::RegisterTaskManager& registration = *connection->registration;
  message.set_managed_memory_bytes(registration.managed_memory_bytes() / registration.slots() *
                                   slots);
  proto::MasterToTaskManager start;
  *start.mutable_start_worker() = std::move(message);
  connection->link->send(std::move(start));
  return true;
}

void ResourceManager::stopWorker(const std::string& task_manager_id, const std::string& worker_id) {
  Connection* connection = find(task_manager_id);
  if (connection == nullptr) return;
  proto::MasterToTaskManager stop;
  stop.mutable_stop_worker()->set_worker_id(worker_id);
  connection->link->send(std::move(stop));
}

void ResourceManager::stopWorkerLater(const std::string& task_manager_id,
                                      const std::string& worker_id, int64_t delay_ms) {
  loop_.postAfter(delay_ms,
                  [this, task_manager_id, worker_id] { stopWorker(task_manager_id, worker_id); });
}

std::vector<TaskManagerView> ResourceManager::taskManagers() const {
  std::vector<TaskManagerView> views;
  for (const auto& [key, connection] : connections_) {
    if (connection.registration.has_value()) views.push_back(viewOf(connection));
  }
  return views;
}

std::optional<TaskManagerView> ResourceManager::taskManager(const std::string& id) const {
  const Connection* connection = find(id);
  if (connection == nullptr) return std::nullopt;
  return viewOf(*connection);
}

ResourceManager::Connection* ResourceManager::find(const std::string& task_manager_id) {
  for (auto& [key, connection] : connections_) {
    if (connection.registration.has_value() && connection.registration->id() == task_manager_id) {
      return &connection;
    }
  }
  return nullptr;
}

const ResourceManager::Connection* ResourceManager::find(const std::string& task_manager_id) const {
  return const_cast<ResourceManager*>(this)->find(task_manager_id);
}

TaskManagerView ResourceManager::viewOf(const Connection& connection) const {
  const proto::RegisterTaskManager& registration = *connection.registration;
  TaskManagerView view;
  view.id = registration.id();
  view.host = registration.host();
  view.pid = registration.pid();
  view.log_directory = registration.log_directory();
  view.managed_memory_bytes = registration.managed_memory_bytes();
  view.slots = registration.slots();
  view.free_slots = slots_.freeSlotsOf(registration.id());
  view.registered_ms = connection.registered_ms;
  view.last_heartbeat_ms = connection.last_heartbeat_ms;
  view.slots_of_jobs = slots_.jobsOn(registration.id());
  return view;
}

void ResourceManager::beat() {
  for (const std::string& id : heartbeats_.silentAt(nowMs())) {
    for (auto& [key, connection] : connections_) {
      if (!connection.registration.has_value() || connection.registration->id() != id) continue;
      drop(key, absl::StrFormat("no heartbeat for %d ms (heartbeat.timeout)",
                                settings_.heartbeat_timeout_ms));
      break;
    }
  }
  for (auto& [key, connection] : connections_) {
    if (!connection.registration.has_value()) continue;
    proto::MasterToTaskManager heartbeat;
    heartbeat.mutable_heartbeat();
    connection.link->send(std::move(heartbeat));
  }
  loop_.postAfter(settings_.heartbeat_interval_ms, [this] { beat(); });
}

// Always an event of its own: a job is never told from inside its own call.
void ResourceManager::assignSoon() {
  if (std::exchange(assign_posted_, true)) return;
  loop_.post([this] { assign(); });
}

void ResourceManager::assign() {
  assign_posted_ = false;
  for (const auto& [job, slots] : slots_.assign()) {
    const auto holder = jobs_.find(job);
    if (holder != jobs_.end()) holder->second->onSlots(slots);
  }
}

}  // namespace wiesel::runtime
