#include "runtime/taskmanager/task_manager.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/version.h"
#include "runtime/jobcode/blob_client.h"

namespace wiesel::runtime {

namespace {

constexpr int64_t kMinReconnectDelayMs = 20;
constexpr int64_t kMaxReconnectDelayMs = 1000;

void removeDirectory(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

TaskManager::TaskManager(const Parts& parts, TaskManagerSettings settings)
    : parts_(parts),
      settings_(std::move(settings)),
      loop_(parts.loop),
      heartbeat_timer_(parts.loop),
      reconnect_timer_(parts.loop),
      supervisor_(parts.loop,
                  [this](const std::string& worker_id, const std::string& cause, bool asked) {
                    if (!asked) reportExit(worker_id, cause);
                    forget(worker_id);
                  }),
      alone_since_ms_(nowMs()),
      reconnect_delay_ms_(kMinReconnectDelayMs) {}

TaskManager::~TaskManager() = default;

void TaskManager::connect() {
  auto connected = connectTaskManager(settings_.master_address, parts_.loop);
  if (!connected.ok()) return parts_.listener.onFatal(std::string(connected.status().message()));
  link_ = *std::move(connected);

  proto::TaskManagerToMaster message;
  proto::RegisterTaskManager& registration = *message.mutable_register_();
  registration.set_id(settings_.id);
  registration.set_host(settings_.host);
  registration.set_slots(settings_.slots);
  registration.set_pid(::getpid());
  registration.set_log_directory(settings_.log_directory);
  registration.set_managed_memory_bytes(settings_.managed_memory_bytes);
  registration.set_version(std::string(kVersion));
  link_->send(std::move(message));
  link_->start([this](const proto::MasterToTaskManager& from) { onMessage(from); },
               [this](const std::string& why) { onConnectionLost(why); });
}

void TaskManager::onMessage(const proto::MasterToTaskManager& message) {
  heard_ms_ = nowMs();
  if (message.has_registered()) {
    onRegistered(message.registered());
  } else if (message.has_heartbeat()) {
    proto::TaskManagerToMaster answer;
    answer.mutable_heartbeat();
    link_->send(std::move(answer));
  } else if (message.has_start_worker()) {
    startWorker(message.start_worker());
  } else if (message.has_stop_worker()) {
    stopWorker(message.stop_worker().worker_id());
  } else if (!message.refused().empty()) {
    parts_.listener.onFatal(absl::StrFormat("the JobManager at %s refused this TaskManager: %s",
                                            settings_.master_address, message.refused()));
  }
}

void TaskManager::onRegistered(const proto::TaskManagerRegistered& registered) {
  registered_ = true;
  told_waiting_ = false;
  reconnect_delay_ms_ = kMinReconnectDelayMs;
  heartbeat_timeout_ms_ = registered.heartbeat_timeout_ms();
  WIESEL_LOG(INFO) << absl::StrFormat("Registered at the JobManager at %s (id=%s, slots=%d)",
                                      settings_.master_address, settings_.id, settings_.slots);
  if (heartbeat_timeout_ms_ > 0) watchHeartbeats();
  parts_.listener.onRegistered();
}

// A JobManager that is there but does not run keeps its connections.
void TaskManager::watchHeartbeats() {
  const int64_t silent_ms = nowMs() - heard_ms_;
  if (silent_ms >= heartbeat_timeout_ms_) {
    return onConnectionLost(
        absl::StrFormat("no heartbeat for %d ms (heartbeat.timeout)", silent_ms));
  }
  heartbeat_timer_.set(heartbeat_timeout_ms_ - silent_ms, [this] { watchHeartbeats(); });
}

void TaskManager::onConnectionLost(const std::string& why) {
  heartbeat_timer_.cancel();
  link_.reset();
  if (std::exchange(registered_, false)) {
    WIESEL_LOG(WARN) << "Lost the JobManager, stopping all workers: " << why;
    alone_since_ms_ = nowMs();
    for (auto it = workers_.begin(); it != workers_.end();) stopWorker((it++)->first);
  }
  if (nowMs() - alone_since_ms_ >= settings_.registration_timeout_ms) {
    return parts_.listener.onFatal(
        absl::StrFormat("%s (tried for %d s)", why, settings_.registration_timeout_ms / 1000));
  }
  if (!std::exchange(told_waiting_, true)) parts_.listener.onWaitingForJobManager(why);
  reconnect_timer_.set(reconnect_delay_ms_, [this] { connect(); });
  reconnect_delay_ms_ = std::min(2 * reconnect_delay_ms_, kMaxReconnectDelayMs);
}

void TaskManager::startWorker(const proto::StartWorker& message) {
  workers_[message.worker_id()] = {
      .job_id = message.job_id(),
      .directory = settings_.working_directory + "/worker-" + message.worker_id()};
  const auto launch_guarded =
      loop_.guard([this](const proto::StartWorker& start,
                         const absl::StatusOr<std::string>& binary) { launch(start, binary); });
  parts_.disk_work.execute([message, launch_guarded, master = settings_.master_address,
                            &blobs = parts_.blobs, &loop = parts_.loop] {
    const absl::StatusOr<std::string> binary =
        obtainBinary(blobs, message.binary_hash(), message.binary_path(), master);
    loop.post([launch_guarded, message, binary] { launch_guarded(message, binary); });
  });
}

void TaskManager::launch(const proto::StartWorker& message,
                         const absl::StatusOr<std::string>& binary) {
  if (!workers_.contains(message.worker_id())) return;  // Stopped meanwhile.
  const absl::Status status =
      binary.ok() ? supervisor_.start(commandFor(message, *binary)) : binary.status();
  if (status.ok()) return;
  reportExit(message.worker_id(), std::string(status.message()));
  forget(message.worker_id());
}

WorkerCommand TaskManager::commandFor(const proto::StartWorker& message,
                                      const std::string& binary) const {
  WorkerEnvironment worker;
  worker.job_id = message.job_id();
  worker.worker_id = message.worker_id();
  worker.task_manager_id = settings_.id;
  worker.master_address = settings_.master_address;
  worker.host = settings_.host;
  worker.bind_host = settings_.bind_host;
  worker.managed_memory_bytes = message.managed_memory_bytes();
  worker.working_directory = workers_.at(message.worker_id()).directory;
  std::error_code ignored;  // A worker that needs the folder says what is wrong with it.
  std::filesystem::create_directories(worker.working_directory, ignored);

  WorkerCommand command;
  command.worker_id = message.worker_id();
  command.binary = binary;
  command.process_name = absl::StrFormat("wiesel-worker %s %s", message.job_id(), settings_.id);
  command.arguments.assign(message.arguments().begin(), message.arguments().end());
  command.environment = worker.toVariables();
  command.environment.insert(message.environment().begin(), message.environment().end());
  const std::string output = settings_.log_directory + "/" + message.job_id();
  command.output_file = output + ".out";
  command.error_file = output + ".err";
  return command;
}

void TaskManager::stopWorker(const std::string& worker_id) {
  if (supervisor_.has(worker_id)) {
    supervisor_.stop(worker_id);  // Forgotten when it has ended.
  } else {
    forget(worker_id);  // Not started yet.
  }
}

void TaskManager::reportExit(const std::string& worker_id, const std::string& cause) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  proto::TaskManagerToMaster message;
  proto::WorkerExited& exited = *message.mutable_worker_exited();
  exited.set_job_id(found->second.job_id);
  exited.set_worker_id(worker_id);
  exited.set_cause(cause);
  if (link_ != nullptr) link_->send(std::move(message));
}

void TaskManager::forget(const std::string& worker_id) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  parts_.disk_work.execute([directory = found->second.directory] { removeDirectory(directory); });
  workers_.erase(found);
}

}  // namespace wiesel::runtime
