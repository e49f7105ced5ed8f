#pragma once

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "common/mutex.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/message_pool.h"

namespace wiesel::runtime {

/// Counts what is alive, so that an owner can wait for the last.
///
/// Threads: thread-safe.
class AliveCount {
 public:
  void add();
  void remove();
  void waitForNone();

 private:
  Mutex mutex_;
  CondVar changed_;
  int alive_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// The gRPC method that carries data connections: a bidirectional stream of bytes, without
/// Protobuf.
inline constexpr char kDataPlaneMethod[] = "/wiesel.DataPlane/Connect";

/// Takes in the streams of consumers. Each becomes a DataConnection that lives until it is closed
/// and gRPC has let go of it.
///
/// Threads: called by gRPC's.
class GrpcDataService final : public grpc::CallbackGenericService {
 public:
  using Accept = std::function<std::shared_ptr<DataConnectionHandler>()>;

  /// `alive` counts the connections, and outlives them.
  GrpcDataService(Accept accept, std::shared_ptr<MessagePool> pool, AliveCount& alive);

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  const Accept accept_;
  const std::shared_ptr<MessagePool> pool_;
  AliveCount& alive_;
};

/// Opens a stream through `channel`; see DataConnector::connect(). `alive` counts the connection.
void openGrpcDataConnection(std::shared_ptr<grpc::Channel> channel, const std::string& address,
                            std::shared_ptr<DataConnectionHandler> handler,
                            std::shared_ptr<MessagePool> pool, AliveCount& alive);

}  // namespace wiesel::runtime
