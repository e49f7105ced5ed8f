#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace wiesel::runtime {

/// Where a server listens. `port` 0 takes a free one.
struct ListenAddress {
  std::string host = "127.0.0.1";
  int port = 0;
  std::string port_setting;  // Such as "jobmanager.rpc.port"; named when the port is in use.
};

/// Listens at `address` once, to learn whether it is free. AlreadyExists when the port is in use;
/// otherwise NotFound, PermissionDenied or Unavailable. The message names address and setting.
absl::Status checkCanListen(const ListenAddress& address);

/// One gRPC server of the control plane.
///
/// Borrows: the services, which must outlive it.
/// Errors:  AlreadyExists when the port is in use (the port is never shared); see checkCanListen.
class GrpcServer {
 public:
  static absl::StatusOr<std::unique_ptr<GrpcServer>> start(
      const ListenAddress& address, const std::vector<grpc::Service*>& services);
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;
  ~GrpcServer();  // Shuts down.

  int port() const { return port_; }

  /// Breaks every connection and waits until no call is left. Idempotent.
  void shutdown();

 private:
  GrpcServer(std::unique_ptr<grpc::Server> server, int port);

  std::unique_ptr<grpc::Server> server_;
  const int port_;
};

}  // namespace wiesel::runtime
