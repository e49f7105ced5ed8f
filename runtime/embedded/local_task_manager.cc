#include "runtime/embedded/local_task_manager.h"

#include <utility>

namespace wiesel::runtime {

LocalTaskManager::LocalTaskManager(EventLoop& loop, const JobPlan& plan, std::string id, int slots,
                                   std::unique_ptr<Link> link, ConnectWorker connect_worker,
                                   MakeServices make_services)
    : loop_(loop),
      plan_(plan),
      id_(std::move(id)),
      slots_(slots),
      link_(std::move(link)),
      connect_worker_(std::move(connect_worker)),
      make_services_(std::move(make_services)) {}

void LocalTaskManager::start() {
  link_->start(
      loop_.guard([this](const proto::MasterToTaskManager& message) { onMessage(message); }),
      [](const std::string&) {});
  proto::TaskManagerToMaster message;
  proto::RegisterTaskManager& registration = *message.mutable_register_();
  registration.set_id(id_);
  registration.set_host("localhost");
  registration.set_slots(slots_);
  link_->send(std::move(message));
}

void LocalTaskManager::onMessage(const proto::MasterToTaskManager& message) {
  switch (message.message_case()) {
    case proto::MasterToTaskManager::kRegistered:
      return beat(message.registered().heartbeat_interval_ms());
    case proto::MasterToTaskManager::kStartWorker:
      return startWorker(message.start_worker());
    case proto::MasterToTaskManager::kStopWorker:
      return stopWorker(message.stop_worker().worker_id());
    default:
      return;
  }
}

void LocalTaskManager::beat(int64_t interval_ms) {
  proto::TaskManagerToMaster message;
  message.mutable_heartbeat();
  link_->send(std::move(message));
  loop_.postAfter(interval_ms, [this, interval_ms] { beat(interval_ms); });
}

void LocalTaskManager::startWorker(const proto::StartWorker& request) {
  std::erase_if(retired_, [](const auto& worker) { return worker->isOver(); });
  const std::string worker_id = request.worker_id();
  WorkerIdentity identity{request.job_id(), worker_id, id_};
  auto worker = std::make_unique<TaskExecutor>(
      plan_, std::move(identity), make_services_(), connect_worker_(),
      loop_.guard([this, worker_id](const std::string&, bool) {
        // Not inside a call of the worker's own.
        loop_.post([this, worker_id] { stopWorker(worker_id); });
      }));
  worker->start();
  workers_[worker_id] = std::move(worker);
}

void LocalTaskManager::stopWorker(const std::string& worker_id) {
  const auto worker = workers_.find(worker_id);
  if (worker == workers_.end()) return;
  worker->second->end("the JobManager stopped the worker");
  retired_.push_back(std::move(worker->second));
  workers_.erase(worker);
}

}  // namespace wiesel::runtime
