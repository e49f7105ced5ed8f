#include "runtime/rpc/grpc_link_server.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "runtime/proto/control.grpc.pb.h"
#include "runtime/rpc/grpc_client_service.h"
#include "runtime/rpc/grpc_link_stream.h"

namespace wiesel::runtime {

namespace {

// A server's call may finish once no write is under way; a read under way is no obstacle.
template <class Out, class In>
class GrpcServerLinkStream final : public GrpcLinkStream<Out, In>,
                                   public grpc::ServerBidiReactor<In, Out> {
 public:
  static std::shared_ptr<GrpcServerLinkStream> accept(EventLoop& loop,
                                                      grpc::CallbackServerContext& context) {
    auto stream = std::make_shared<GrpcServerLinkStream>(loop, context);
    stream->keepAlive();
    stream->opened();
    return stream;
  }

  GrpcServerLinkStream(EventLoop& loop, grpc::CallbackServerContext& context)
      : GrpcLinkStream<Out, In>(loop), context_(context), peer_(context.peer()) {}

  void OnReadDone(bool ok) override {
    this->takeTurn();
    if (ok) return this->onRead();
    this->onEnded(context_.IsCancelled() ? lost()
                                         : absl::StrFormat("%s closed the connection", peer_));
    this->releaseWhenIdle();
  }

  void OnWriteDone(bool ok) override { this->onWritten(ok); }

  void OnCancel() override {
    if (!this->onCancelled()) return;  // The read that is under way will tell.
    this->onEnded(lost());
    this->releaseWhenIdle();
  }

  void OnDone() override { this->letGo(); }

 protected:
  void beginCall() override { this->readNext(); }
  void readInto(In* message) override { this->StartRead(message); }
  void write(const Out* message) override { this->StartWrite(message); }
  void endWriting() override { this->releaseWhenIdle(); }
  void breakCall() override { context_.TryCancel(); }
  void release() override {
    this->takeTurn();
    this->Finish(grpc::Status::OK);
  }

 private:
  std::string lost() const { return absl::StrFormat("the connection to %s was lost", peer_); }

  grpc::CallbackServerContext& context_;  // gRPC's, valid until OnDone.
  const std::string peer_;
};

template <class Out, class In, class Accept>
grpc::ServerBidiReactor<In, Out>* acceptLink(EventLoop& loop, grpc::CallbackServerContext& context,
                                             Accept accept) {
  auto stream = GrpcServerLinkStream<Out, In>::accept(loop, context);
  grpc::ServerBidiReactor<In, Out>* reactor = stream.get();
  // Shared only because a std::function must be copyable.
  auto link = std::make_shared<std::unique_ptr<MessageLink<Out, In>>>(
      std::make_unique<GrpcLink<Out, In>>(std::move(stream)));
  loop.post([link, accept] { accept(std::move(*link)); });
  return reactor;
}

class TaskManagerConnections final : public proto::TaskManagerService::CallbackService {
 public:
  TaskManagerConnections(EventLoop& loop, LinkAcceptor& acceptor)
      : loop_(loop), acceptor_(acceptor) {}

  grpc::ServerBidiReactor<proto::TaskManagerToMaster, proto::MasterToTaskManager>* Connect(
      grpc::CallbackServerContext* context) override {
    return acceptLink<proto::MasterToTaskManager, proto::TaskManagerToMaster>(
        loop_, *context, [this](std::unique_ptr<MasterToTaskManagerLink> link) {
          acceptor_.onTaskManagerConnected(std::move(link));
        });
  }

 private:
  EventLoop& loop_;
  LinkAcceptor& acceptor_;
};

class WorkerConnections final : public proto::WorkerService::CallbackService {
 public:
  WorkerConnections(EventLoop& loop, LinkAcceptor& acceptor) : loop_(loop), acceptor_(acceptor) {}

  grpc::ServerBidiReactor<proto::WorkerToMaster, proto::MasterToWorker>* Connect(
      grpc::CallbackServerContext* context) override {
    return acceptLink<proto::MasterToWorker, proto::WorkerToMaster>(
        loop_, *context, [this](std::unique_ptr<MasterToWorkerLink> link) {
          acceptor_.onWorkerConnected(std::move(link));
        });
  }

 private:
  EventLoop& loop_;
  LinkAcceptor& acceptor_;
};

class Server final : public GrpcLinkServer {
 public:
  explicit Server(const Parts& parts)
      : task_managers_(parts.loop, parts.acceptor),
        workers_(parts.loop, parts.acceptor),
        clients_(parts.blobs, parts.disk_work, parts.clients) {}
  ~Server() override { shutdown(); }

  absl::Status listen(const ListenAddress& address) {
    WIESEL_ASSIGN_OR_RETURN(server_,
                            GrpcServer::start(address, {&task_managers_, &workers_, &clients_}));
    port_ = server_->port();
    return absl::OkStatus();
  }

  int port() const override { return port_; }
  void shutdown() override { server_.reset(); }

 private:
  TaskManagerConnections task_managers_;
  WorkerConnections workers_;
  GrpcClientService clients_;
  std::unique_ptr<GrpcServer> server_;
  int port_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcLinkServer>> GrpcLinkServer::start(const ListenAddress& address,
                                                                      const Parts& parts) {
  auto server = std::make_unique<Server>(parts);
  WIESEL_RETURN_IF_ERROR(server->listen(address));
  return server;
}

}  // namespace wiesel::runtime
