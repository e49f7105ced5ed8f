#include "runtime/jobcode/blob_client.h"

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "runtime/jobcode/blob_transfer.h"
#include "runtime/jobcode/file_hash.h"
#include "runtime/proto/client.grpc.pb.h"
#include "runtime/rpc/grpc_channel.h"

namespace wiesel::runtime {

namespace {

using Stub = proto::ClientService::Stub;

absl::StatusOr<proto::PrepareBinaryResponse> prepare(Stub& stub, const std::string& peer,
                                                     const proto::PrepareBinaryRequest& request) {
  grpc::ClientContext context;
  proto::PrepareBinaryResponse response;
  WIESEL_RETURN_IF_ERROR(fromGrpcStatus(stub.PrepareBinary(&context, request, &response), peer));
  return response;
}

absl::Status upload(Stub& stub, const std::string& peer, const std::string& path,
                    const std::string& hash) {
  WIESEL_ASSIGN_OR_RETURN(ChunkReader reader, ChunkReader::open(path, hash));
  grpc::ClientContext context;
  proto::UploadBinaryResponse response;
  const auto writer = stub.UploadBinary(&context, &response);
  proto::BinaryChunk chunk;
  while (true) {
    const absl::StatusOr<bool> more = reader.next(chunk);
    if (!more.ok()) {
      context.TryCancel();
      writer->Finish().ok();
      return more.status();
    }
    if (!*more || !writer->Write(chunk)) break;  // A failed write shows its reason in Finish().
  }
  writer->WritesDone();
  return fromGrpcStatus(writer->Finish(), peer);
}

absl::Status download(BlobStore& store, const std::string& hash, const std::string& address) {
  WIESEL_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel, newGrpcChannel(address));
  const auto stub = proto::ClientService::NewStub(channel);
  WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<BlobUpload> incoming, store.beginUpload(hash));
  grpc::ClientContext context;
  proto::DownloadBinaryRequest request;
  request.set_content_hash(hash);
  const auto reader = stub->DownloadBinary(&context, request);
  proto::BinaryChunk chunk;
  absl::Status written = absl::OkStatus();
  while (written.ok() && reader->Read(&chunk)) written = incoming->append(chunk.data());
  if (!written.ok()) context.TryCancel();
  const grpc::Status status = reader->Finish();
  WIESEL_RETURN_IF_ERROR(written);
  WIESEL_RETURN_IF_ERROR(fromGrpcStatus(status, absl::StrFormat("JobManager at %s", address)));
  return incoming->finish();
}

}  // namespace

absl::StatusOr<std::string> provideBinary(const std::shared_ptr<grpc::Channel>& channel,
                                          const std::string& peer, const std::string& path) {
  const auto stub = proto::ClientService::NewStub(channel);
  proto::PrepareBinaryRequest request;
  WIESEL_ASSIGN_OR_RETURN(*request.mutable_local_file(), describeLocalFile(path));
  request.set_size_bytes(request.local_file().size_bytes());
  WIESEL_ASSIGN_OR_RETURN(proto::PrepareBinaryResponse prepared, prepare(*stub, peer, request));
  if (prepared.present()) return prepared.content_hash();

  request.clear_local_file();
  WIESEL_ASSIGN_OR_RETURN(*request.mutable_content_hash(), contentHashOfFile(path));
  WIESEL_ASSIGN_OR_RETURN(prepared, prepare(*stub, peer, request));
  if (!prepared.present()) {
    WIESEL_RETURN_IF_ERROR(upload(*stub, peer, path, request.content_hash()));
  }
  return request.content_hash();
}

absl::StatusOr<std::string> obtainBinary(BlobStore& store, const std::string& hash,
                                         const std::string& path_at_master,
                                         const std::string& master_address) {
  if (!store.contains(hash)) {
    const absl::StatusOr<std::string> added = store.addFile(path_at_master);
    if (!added.ok() || *added != hash) {
      WIESEL_RETURN_IF_ERROR(download(store, hash, master_address));
    }
  }
  return store.pathOf(hash);
}

}  // namespace wiesel::runtime
