#include "runtime/rpc/grpc_channel.h"

#include <arpa/inet.h>
#include <grpcpp/generic/generic_stub.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/status_macros.h"
#include "grpc/support/log.h"

namespace wiesel::runtime {

namespace {

constexpr int kMinReconnectDelayMs = 20;
constexpr int kMaxReconnectDelayMs = 1000;
// One attempt to connect may take this long: a busy machine needs more than a few milliseconds.
constexpr int kConnectTimeoutMs = 5000;

void logFromGrpc(gpr_log_func_args* args) {
  if (args->severity != GPR_LOG_SEVERITY_ERROR) return;
  WIESEL_LOG(WARN) << "gRPC: " << args->message;
}

/// Holds a call that is never started. The channel of such a call counts as a user of the threads
/// that run callbacks (CompletionQueue::CallbackAlternativeCQ in gRPC 1.51).
class CallbackThreadsKeeper {
 public:
  CallbackThreadsKeeper()
      : channel_(grpc::CreateChannel("ipv4:127.0.0.1:1", grpc::InsecureChannelCredentials())),
        stub_(channel_) {
    stub_.PrepareBidiStreamingCall(&context_, "/never/called", {}, &reactor_);
  }

 private:
  class Reactor : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {};

  const std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  Reactor reactor_;
};

struct AddressInfoDeleter {
  void operator()(addrinfo* info) const { ::freeaddrinfo(info); }
};

std::string targetOf(const sockaddr* address, int port) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address->sa_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    ::inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text));
    return absl::StrFormat("ipv6:[%s]:%d", text, port);
  }
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
  ::inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text));
  return absl::StrFormat("ipv4:%s:%d", text, port);
}

}  // namespace

void initGrpc() {
  // Kept in memory, although nobody reads it, so that LeakSanitizer finds what it points to.
  [[gnu::used]] static CallbackThreadsKeeper* keeper = [] {
    gpr_set_log_function(&logFromGrpc);
    return new CallbackThreadsKeeper();  // Never destroyed.
  }();
}

absl::StatusOr<std::string> grpcTargetOf(std::string_view address) {
  const size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string_view::npos || colon == 0 ||
      !absl::SimpleAtoi(std::string(address.substr(colon + 1)), &port) || port <= 0 ||
      port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is no address; write HOST:PORT", address));
  }
  std::string host(address.substr(0, colon));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }

  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  const std::unique_ptr<addrinfo, AddressInfoDeleter> owner(found);
  if (error != 0) {
    return absl::NotFoundError(
        absl::StrFormat("host '%s' has no address: %s", host, ::gai_strerror(error)));
  }
  // "localhost" is ::1 first on many machines, while our servers listen on 127.0.0.1 by default.
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    if (info->ai_family == AF_INET) return targetOf(info->ai_addr, port);
  }
  return targetOf(found->ai_addr, port);
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> newGrpcChannel(std::string_view address) {
  initGrpc();
  WIESEL_ASSIGN_OR_RETURN(const std::string target, grpcTargetOf(address));
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kMinReconnectDelayMs);
  // In spite of its name this is the time-out of one attempt.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectTimeoutMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kMaxReconnectDelayMs);
  arguments.SetMaxReceiveMessageSize(kMaxControlMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxControlMessageBytes);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

absl::Status fromGrpcStatus(const grpc::Status& status, std::string_view peer) {
  if (status.ok()) return absl::OkStatus();
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  if (code == absl::StatusCode::kUnavailable) {
    return absl::UnavailableError(
        absl::StrFormat("cannot reach the %s: %s", peer, status.error_message()));
  }
  return absl::Status(code, status.error_message());
}

grpc::Status toGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message().data(), status.message().size()));
}

}  // namespace wiesel::runtime
