#pragma once

#include <memory>
#include <string>
#include <utility>

#include "runtime/proto/control.pb.h"
#include "runtime/rpc/message_link.h"

namespace wiesel::runtime {

using WorkerLink = MessageLink<proto::MasterToWorker, proto::WorkerToMaster>;

/// The JobManager's end of a worker's connection. Who listens changes once: first the dispatcher,
/// until the worker has said which job it belongs to, then the job.
///
/// Threads: the link's loop.
class WorkerConnection {
 public:
  explicit WorkerConnection(std::unique_ptr<WorkerLink> link) : link_(std::move(link)) {}
  WorkerConnection(const WorkerConnection&) = delete;
  WorkerConnection& operator=(const WorkerConnection&) = delete;

  /// Begins to deliver. Called once.
  void start(WorkerLink::OnMessage on_message, WorkerLink::OnClosed on_closed) {
    handOver(std::move(on_message), std::move(on_closed));
    link_->start([this](const proto::WorkerToMaster& message) { handlers()->on_message(message); },
                 [this](const std::string& why) { handlers()->on_closed(why); });
  }

  /// From now on these are told.
  void handOver(WorkerLink::OnMessage on_message, WorkerLink::OnClosed on_closed) {
    handlers_ =
        std::make_shared<const Handlers>(Handlers{std::move(on_message), std::move(on_closed)});
  }

  void send(proto::MasterToWorker message) { link_->send(std::move(message)); }
  /// Delivers what was sent, then closes. Nobody is told anything any more.
  void close() { link_->close(); }

 private:
  struct Handlers {
    WorkerLink::OnMessage on_message;
    WorkerLink::OnClosed on_closed;
  };

  // A copy: handlers may be replaced, and the connection destroyed, while one of them runs.
  std::shared_ptr<const Handlers> handlers() const { return handlers_; }

  const std::unique_ptr<WorkerLink> link_;
  std::shared_ptr<const Handlers> handlers_;
};

}  // namespace wiesel::runtime
