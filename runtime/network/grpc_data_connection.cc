#include "runtime/network/grpc_data_connection.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "runtime/network/data_frame.h"

namespace wiesel::runtime {

namespace {

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Hands the message to the handler in one piece; false when gRPC cannot give it.
bool deliver(const grpc::ByteBuffer& buffer, DataConnectionHandler& handler) {
  grpc::Slice slice;
  if (!buffer.TrySingleSlice(&slice).ok() && !buffer.DumpToSingleSlice(&slice).ok()) return false;
  handler.onMessage({reinterpret_cast<const char*>(slice.begin()), slice.size()});
  return true;
}

/// The producer's end. gRPC deletes nothing: the object deletes itself when gRPC is done.
class ServerConnection final : public grpc::ServerGenericBidiReactor, public DataConnection {
 public:
  ServerConnection(grpc::CallbackServerContext& context,
                   std::shared_ptr<DataConnectionHandler> handler,
                   std::shared_ptr<MessagePool> pool, AliveCount& alive)
      : context_(context),
        peer_(context.peer()),
        handler_(std::move(handler)),
        pool_(std::move(pool)),
        alive_(alive) {
    alive_.add();
    handler_->onOpened(*this);
    MutexLock lock(mutex_);
    if (!finished_) StartRead(&incoming_);
  }

  // ---- DataConnection ----

  DataOutput newMessage() override { return pool_->take(); }

  void write(DataOutput message) override {
    MutexLock lock(mutex_);
    if (finished_) return;
    writing_ = true;
    outgoing_ = pool_->wrap(std::move(message));
    StartWrite(&outgoing_);
  }

  void close(const std::string& why) override {
    finish(grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, why));
  }

  std::string peer() const override { return peer_; }

  // ---- gRPC's reactions ----

  void OnReadDone(bool ok) override {
    if (!ok) return finish(grpc::Status(grpc::StatusCode::CANCELLED, "the consumer left"));
    seeEarlierReactions();
    if (!deliver(incoming_, *handler_)) {
      return finish(grpc::Status(grpc::StatusCode::INTERNAL, "gRPC could not give a message"));
    }
    MutexLock lock(mutex_);
    incoming_.Clear();
    if (!finished_) StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    {
      MutexLock lock(mutex_);
      writing_ = false;
      outgoing_.Clear();
    }
    if (ok) handler_->onWritten();
  }

  void OnCancel() override {
    finish(grpc::Status(grpc::StatusCode::CANCELLED, "the consumer left"));
  }

  void OnDone() override {
    std::string why;
    {
      MutexLock lock(mutex_);
      why = why_;
    }
    handler_->onClosed(peer_ + ": " + oneLine(why));
    AliveCount& alive = alive_;
    delete this;
    alive.remove();
  }

 private:
  // As in ClientConnection.
  void seeEarlierReactions() { MutexLock lock(mutex_); }

  void finish(const grpc::Status& status) {
    MutexLock lock(mutex_);
    if (std::exchange(finished_, true)) return;
    why_ = status.error_message();
    // The status would wait behind a message that perhaps nobody reads.
    if (writing_) context_.TryCancel();
    Finish(status);
  }

  grpc::CallbackServerContext& context_;
  const std::string peer_;
  const std::shared_ptr<DataConnectionHandler> handler_;
  const std::shared_ptr<MessagePool> pool_;
  AliveCount& alive_;
  grpc::ByteBuffer incoming_;
  grpc::ByteBuffer outgoing_;

  Mutex mutex_;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;  // No operation may begin any more.
  std::string why_ ABSL_GUARDED_BY(mutex_);
};

/// Turns away calls of other methods.
class UnknownMethod final : public grpc::ServerGenericBidiReactor {
 public:
  UnknownMethod() { Finish(grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "no such method")); }
  void OnDone() override { delete this; }
};

/// The consumer's end; deletes itself when gRPC is done.
class ClientConnection final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                               public DataConnection {
 public:
  ClientConnection(std::shared_ptr<grpc::Channel> channel, std::string address,
                   std::shared_ptr<DataConnectionHandler> handler,
                   std::shared_ptr<MessagePool> pool, AliveCount& alive)
      : stub_(std::move(channel)),
        address_(std::move(address)),
        handler_(std::move(handler)),
        pool_(std::move(pool)),
        alive_(alive) {
    alive_.add();
  }

  void start() {
    stub_.PrepareBidiStreamingCall(&context_, kDataPlaneMethod, grpc::StubOptions(), this);
    AddHold();  // For the writes, which may come from any thread; until no read can succeed.
    StartRead(&incoming_);
    // A hold that keeps this object alive until the end of this function.
    AddHold();
    StartCall();
    handler_->onOpened(*this);
    RemoveHold();
  }

  // ---- DataConnection ----

  DataOutput newMessage() override { return pool_->take(); }

  void write(DataOutput message) override {
    MutexLock lock(mutex_);
    if (ended_) return;
    outgoing_ = pool_->wrap(std::move(message));
    StartWrite(&outgoing_);
  }

  void close(const std::string& why) override {
    MutexLock lock(mutex_);
    if (why_.empty()) why_ = why;
    context_.TryCancel();
  }

  std::string peer() const override { return address_; }

  // ---- gRPC's reactions ----

  void OnReadDone(bool ok) override {
    seeEarlierReactions();
    if (ok && deliver(incoming_, *handler_)) {
      MutexLock lock(mutex_);
      incoming_.Clear();
      StartRead(&incoming_);
      return;
    }
    if (ok) close("gRPC could not give a message");
    MutexLock lock(mutex_);
    ended_ = true;
    RemoveHold();
  }

  void OnWriteDone(bool ok) override {
    {
      MutexLock lock(mutex_);
      outgoing_.Clear();
    }
    if (ok) handler_->onWritten();
  }

  void OnDone(const grpc::Status& status) override {
    std::string why;
    {
      MutexLock lock(mutex_);
      why = why_;
    }
    if (why.empty()) {
      why = status.ok() ? "the producer ended the stream" : oneLine(status.error_message());
    }
    handler_->onClosed(why);
    AliveCount& alive = alive_;
    delete this;
    alive.remove();
  }

 private:
  // Each read begins with the lock held and ends here, so that a thread that runs this reaction
  // sees what the thread of the last one did: not by the grace of gRPC's locks alone, into which
  // ThreadSanitizer cannot see.
  void seeEarlierReactions() { MutexLock lock(mutex_); }

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  const std::string address_;
  const std::shared_ptr<DataConnectionHandler> handler_;
  const std::shared_ptr<MessagePool> pool_;
  AliveCount& alive_;
  grpc::ByteBuffer incoming_;
  grpc::ByteBuffer outgoing_;

  Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;  // No write may begin any more.
  std::string why_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

void AliveCount::add() {
  MutexLock lock(mutex_);
  ++alive_;
}

void AliveCount::remove() {
  MutexLock lock(mutex_);
  if (--alive_ == 0) changed_.notify_all();
}

void AliveCount::waitForNone() {
  MutexLock lock(mutex_);
  while (alive_ > 0) changed_.wait(mutex_);
}

GrpcDataService::GrpcDataService(Accept accept, std::shared_ptr<MessagePool> pool,
                                 AliveCount& alive)
    : accept_(std::move(accept)), pool_(std::move(pool)), alive_(alive) {}

grpc::ServerGenericBidiReactor* GrpcDataService::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  if (context->method() != kDataPlaneMethod) return new UnknownMethod();
  return new ServerConnection(*context, accept_(), pool_, alive_);
}

void openGrpcDataConnection(std::shared_ptr<grpc::Channel> channel, const std::string& address,
                            std::shared_ptr<DataConnectionHandler> handler,
                            std::shared_ptr<MessagePool> pool, AliveCount& alive) {
  auto* connection =
      new ClientConnection(std::move(channel), address, std::move(handler), std::move(pool), alive);
  connection->start();
}

}  // namespace wiesel::runtime
