#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/proto/control.pb.h"
#include "runtime/rpc/client_request_handler.h"
#include "runtime/rpc/grpc_server.h"
#include "runtime/rpc/message_link.h"

namespace wiesel::runtime {

using MasterToTaskManagerLink = MessageLink<proto::MasterToTaskManager, proto::TaskManagerToMaster>;
using MasterToWorkerLink = MessageLink<proto::MasterToWorker, proto::WorkerToMaster>;

/// Takes the connections that a GrpcLinkServer accepts, on the server's event loop. The links are
/// not started; dropping one closes it.
class LinkAcceptor {
 public:
  virtual ~LinkAcceptor() = default;

  virtual void onTaskManagerConnected(std::unique_ptr<MasterToTaskManagerLink> link) = 0;
  virtual void onWorkerConnected(std::unique_ptr<MasterToWorkerLink> link) = 0;
};

/// The JobManager's gRPC server: links of TaskManagers and workers, and the calls of clients.
///
/// Borrows: everything it is made with; all must outlive it. Links call back on `loop`.
/// Promise: a peer whose process ends shows as its link's on_closed at once, by the connection's
///          end, not by a time-out.
class GrpcLinkServer {
 public:
  struct Parts {
    EventLoop& loop;
    LinkAcceptor& acceptor;
    ClientRequestHandler& clients;
    BlobStore& blobs;
    Executor& disk_work;
  };

  static absl::StatusOr<std::unique_ptr<GrpcLinkServer>> start(const ListenAddress& address,
                                                               const Parts& parts);
  virtual ~GrpcLinkServer() = default;

  virtual int port() const = 0;

  /// Breaks all connections and waits until no call is left. Idempotent. Answers to clients that
  /// come later are dropped.
  virtual void shutdown() = 0;
};

}  // namespace wiesel::runtime
