#include "runtime/network/grpc_data_transport.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "common/thread_pool.h"
#include "runtime/network/data_client.h"
#include "runtime/network/data_frame.h"
#include "runtime/network/data_server.h"
#include "runtime/network/grpc_data_connection.h"
#include "runtime/rpc/grpc_channel.h"
#include "runtime/rpc/grpc_server.h"

namespace wiesel::runtime {

namespace {

constexpr int kThreads = 2;

// A peer whose machine vanished says nothing. This finds out when heartbeats have not before.
constexpr int kKeepaliveMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 20'000;

template <class Set>
void setCommonArguments(Set set) {
  set(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, static_cast<int>(kMaxDataMessageBytes));
  set(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, static_cast<int>(kMaxDataMessageBytes));
  // We never compress, and a peer could send a few bytes that decompress to very many.
  set(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  set(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);
  set(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);  // Without limit.
  set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepaliveMs / 2);
}

grpc::ChannelArguments clientArguments() {
  grpc::ChannelArguments arguments;
  setCommonArguments([&](const char* name, int value) { arguments.SetInt(name, value); });
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

std::string hostAndPort(const std::string& host, int port) {
  const bool is_ipv6 = host.find(':') != std::string::npos && host.front() != '[';
  return is_ipv6 ? absl::StrFormat("[%s]:%d", host, port) : absl::StrFormat("%s:%d", host, port);
}

}  // namespace

class GrpcDataTransport::Parts final : public DataConnector {
 public:
  explicit Parts(const Options& options)
      : threads_(kThreads, "data-plane"),
        server_({.scope = options.scope}, threads_),
        client_({.scope = options.scope}, *this, threads_),
        service_([this] { return server_.accept(); }, pool_, alive_) {}

  ~Parts() override {
    client_.shutDown();
    server_.shutDown();
    threads_.stop();
    if (grpc_server_ != nullptr) grpc_server_->Shutdown(std::chrono::system_clock::now());
    alive_.waitForNone();
    grpc_server_.reset();
  }

  absl::Status listen(const Options& options) {
    initGrpc();
    const ListenAddress address{options.bind_host, options.port, "taskmanager.data.port"};
    if (options.port != 0) WIESEL_RETURN_IF_ERROR(checkCanListen(address));
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(hostAndPort(options.bind_host, options.port),
                             grpc::InsecureServerCredentials(), &port);
    setCommonArguments(
        [&](const char* name, int value) { builder.AddChannelArgument(name, value); });
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterCallbackGenericService(&service_);
    grpc_server_ = builder.BuildAndStart();
    if (grpc_server_ == nullptr || port <= 0) {
      WIESEL_RETURN_IF_ERROR(checkCanListen(address));
      return absl::UnavailableError(absl::StrFormat("the data server could not listen at %s",
                                                    hostAndPort(options.bind_host, options.port)));
    }
    const std::string& host =
        options.external_host.empty() ? options.bind_host : options.external_host;
    address_ = hostAndPort(host, port);
    return absl::OkStatus();
  }

  void connect(const std::string& address,
               std::shared_ptr<DataConnectionHandler> handler) override {
    const absl::StatusOr<std::string> target = grpcTargetOf(address);
    if (!target.ok()) {
      threads_.execute(
          [handler, why = std::string(target.status().message())] { handler->onClosed(why); });
      return;
    }
    openGrpcDataConnection(
        grpc::CreateCustomChannel(*target, grpc::InsecureChannelCredentials(), clientArguments()),
        address, std::move(handler), pool_, alive_);
  }

  const std::string& address() const { return address_; }
  DataServer& server() { return server_; }
  DataClient& client() { return client_; }

 private:
  const std::shared_ptr<MessagePool> pool_ = std::make_shared<MessagePool>();
  AliveCount alive_;  // The connections.
  ThreadPool threads_;
  DataServer server_;
  DataClient client_;
  GrpcDataService service_;
  std::unique_ptr<grpc::Server> grpc_server_;
  std::string address_;
};

absl::StatusOr<std::unique_ptr<GrpcDataTransport>> GrpcDataTransport::start(
    const Options& options) {
  auto parts = std::make_unique<Parts>(options);
  WIESEL_RETURN_IF_ERROR(parts->listen(options));
  return std::unique_ptr<GrpcDataTransport>(new GrpcDataTransport(std::move(parts)));
}

GrpcDataTransport::GrpcDataTransport(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

GrpcDataTransport::~GrpcDataTransport() = default;

std::string GrpcDataTransport::address() const { return parts_->address(); }

void GrpcDataTransport::publish(const ChannelAddress& channel,
                                std::shared_ptr<ChannelQueue> queue) {
  parts_->server().publish(channel, std::move(queue));
}

void GrpcDataTransport::subscribe(const ChannelAddress& channel,
                                  const std::string& producer_address,
                                  std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                                  std::function<void(std::string why)> on_lost) {
  parts_->client().subscribe(channel, producer_address, std::move(queue), type, std::move(on_lost));
}

void GrpcDataTransport::releaseAttempt(int32_t attempt) {
  parts_->server().releaseAttempt(attempt);
  parts_->client().releaseAttempt(attempt);
}

}  // namespace wiesel::runtime
