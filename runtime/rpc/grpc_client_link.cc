#include "runtime/rpc/grpc_client_link.h"

#include <grpcpp/grpcpp.h>

#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "runtime/proto/control.grpc.pb.h"
#include "runtime/rpc/grpc_channel.h"
#include "runtime/rpc/grpc_link_stream.h"

namespace wiesel::runtime {

namespace {

// The hold that AddHold() takes keeps OnDone back while calls may come from outside of reactions;
// release() gives it back.
template <class Service, class Out, class In>
class GrpcClientLinkStream final : public GrpcLinkStream<Out, In>,
                                   public grpc::ClientBidiReactor<Out, In> {
 public:
  GrpcClientLinkStream(EventLoop& loop, std::shared_ptr<grpc::Channel> channel, std::string peer)
      : GrpcLinkStream<Out, In>(loop),
        channel_(std::move(channel)),
        stub_(Service::NewStub(channel_)),
        peer_(std::move(peer)) {}

  void OnReadDone(bool ok) override {
    if (ok) return this->onRead();
    this->releaseWhenIdle();
  }

  void OnWriteDone(bool ok) override { this->onWritten(ok); }

  void OnDone(const grpc::Status& status) override {
    this->takeTurn();
    const absl::Status reason = fromGrpcStatus(status, peer_);
    this->onEnded(reason.ok() ? absl::StrFormat("the %s closed the connection", peer_)
                              : std::string(reason.message()));
    this->letGo();
  }

 protected:
  void beginCall() override {
    this->keepAlive();
    stub_->async()->Connect(&context_, this);
    this->AddHold();
    this->StartCall();
    this->opened();
    this->readNext();
  }
  void readInto(In* message) override { this->StartRead(message); }
  void write(const Out* message) override { this->StartWrite(message); }
  void endWriting() override { this->StartWritesDone(); }
  void breakCall() override { context_.TryCancel(); }
  void release() override {
    this->takeTurn();
    this->RemoveHold();
  }

 private:
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<typename Service::Stub> stub_;
  const std::string peer_;
  grpc::ClientContext context_;
};

template <class Service, class Out, class In>
absl::StatusOr<std::unique_ptr<MessageLink<Out, In>>> connect(std::string_view address,
                                                              EventLoop& loop) {
  WIESEL_ASSIGN_OR_RETURN(std::shared_ptr<grpc::Channel> channel, newGrpcChannel(address));
  return std::make_unique<GrpcLink<Out, In>>(
      std::make_shared<GrpcClientLinkStream<Service, Out, In>>(
          loop, std::move(channel), absl::StrFormat("JobManager at %s", address)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<TaskManagerToMasterLink>> connectTaskManager(
    std::string_view address, EventLoop& loop) {
  return connect<proto::TaskManagerService, proto::TaskManagerToMaster, proto::MasterToTaskManager>(
      address, loop);
}

absl::StatusOr<std::unique_ptr<WorkerToMasterLink>> connectWorker(std::string_view address,
                                                                  EventLoop& loop) {
  return connect<proto::WorkerService, proto::WorkerToMaster, proto::MasterToWorker>(address, loop);
}

}  // namespace wiesel::runtime
