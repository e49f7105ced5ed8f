#include "runtime/rpc/grpc_server.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "runtime/rpc/grpc_channel.h"

namespace wiesel::runtime {

namespace {

absl::Status listenError(const ListenAddress& address, int error) {
  const std::string where = absl::StrFormat("%s:%d", address.host, address.port);
  if (error == EADDRINUSE) {
    return absl::AlreadyExistsError(absl::StrFormat(
        "port %d is in use, so nothing can listen at %s. Set '%s' to a free port, or to 0 for any",
        address.port, where, address.port_setting));
  }
  const std::string text = absl::StrFormat("cannot listen at %s (port from '%s'): %s", where,
                                           address.port_setting, std::strerror(error));
  return error == EACCES ? absl::PermissionDeniedError(text) : absl::UnavailableError(text);
}

}  // namespace

absl::Status checkCanListen(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  if (const int error = ::getaddrinfo(address.host.c_str(), port.c_str(), &hints, &found);
      error != 0) {
    return absl::NotFoundError(
        absl::StrFormat("cannot listen at host '%s': %s", address.host, ::gai_strerror(error)));
  }
  const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const bool bound = ::bind(fd, found->ai_addr, found->ai_addrlen) == 0 && ::listen(fd, 1) == 0;
  const int error = errno;
  ::close(fd);
  ::freeaddrinfo(found);
  return bound ? absl::OkStatus() : listenError(address, error);
}

absl::StatusOr<std::unique_ptr<GrpcServer>> GrpcServer::start(
    const ListenAddress& address, const std::vector<grpc::Service*>& services) {
  initGrpc();
  // gRPC does not say why it cannot listen, so a port that was asked for is tried first.
  if (address.port != 0) WIESEL_RETURN_IF_ERROR(checkCanListen(address));

  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(absl::StrFormat("%s:%d", address.host, address.port),
                           grpc::InsecureServerCredentials(), &port);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(kMaxControlMessageBytes);
  builder.SetMaxSendMessageSize(kMaxControlMessageBytes);
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port <= 0) {
    WIESEL_RETURN_IF_ERROR(checkCanListen(address));
    return listenError(address, EADDRINUSE);  // Taken between the two attempts, and free again.
  }
  return std::unique_ptr<GrpcServer>(new GrpcServer(std::move(server), port));
}

GrpcServer::GrpcServer(std::unique_ptr<grpc::Server> server, int port)
    : server_(std::move(server)), port_(port) {}

GrpcServer::~GrpcServer() { shutdown(); }

void GrpcServer::shutdown() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
  server_.reset();
}

}  // namespace wiesel::runtime
