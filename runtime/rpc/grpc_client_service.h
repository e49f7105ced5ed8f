#pragma once

#include <memory>

#include "common/executor.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/jobcode/blob_transfer.h"
#include "runtime/proto/client.grpc.pb.h"
#include "runtime/rpc/client_request_handler.h"

namespace wiesel::runtime {

/// The calls of clients: binaries go to and from `blobs`, the rest to `handler`.
///
/// Borrows: all three; they must outlive it. `disk_work` runs what reads or writes whole binaries.
class GrpcClientService final : public proto::ClientService::CallbackService {
 public:
  GrpcClientService(BlobStore& blobs, Executor& disk_work, ClientRequestHandler& handler)
      : blobs_(blobs), disk_work_(disk_work), handler_(handler) {}

  grpc::ServerUnaryReactor* PrepareBinary(grpc::CallbackServerContext* context,
                                          const proto::PrepareBinaryRequest* request,
                                          proto::PrepareBinaryResponse* response) override;
  grpc::ServerReadReactor<proto::BinaryChunk>* UploadBinary(
      grpc::CallbackServerContext* context, proto::UploadBinaryResponse* response) override;
  grpc::ServerWriteReactor<proto::BinaryChunk>* DownloadBinary(
      grpc::CallbackServerContext* context, const proto::DownloadBinaryRequest* request) override;
  grpc::ServerUnaryReactor* SubmitJob(grpc::CallbackServerContext* context,
                                      const proto::SubmitJobRequest* request,
                                      proto::SubmitJobResponse* response) override;
  grpc::ServerUnaryReactor* WaitForJob(grpc::CallbackServerContext* context,
                                       const proto::JobRequest* request,
                                       proto::JobResult* response) override;
  grpc::ServerUnaryReactor* CancelJob(grpc::CallbackServerContext* context,
                                      const proto::JobRequest* request,
                                      proto::CancelJobResponse* response) override;

 private:
  absl::Status prepare(const proto::PrepareBinaryRequest& request,
                       proto::PrepareBinaryResponse& response);
  absl::StatusOr<ChunkReader> openBlob(const std::string& hash);

  BlobStore& blobs_;
  Executor& disk_work_;
  ClientRequestHandler& handler_;
};

}  // namespace wiesel::runtime
