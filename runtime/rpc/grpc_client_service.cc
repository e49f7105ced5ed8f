#include "runtime/rpc/grpc_client_service.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "runtime/rpc/grpc_channel.h"

namespace wiesel::runtime {

namespace {

/// Answers one unary call from any thread, also after the server has broken it: the reactor lives
/// until both the answer was given and gRPC is done with it.
template <class Response>
class UnaryAnswer final : public grpc::ServerUnaryReactor {
 public:
  static std::shared_ptr<UnaryAnswer> make(Response* response) {
    auto answer = std::shared_ptr<UnaryAnswer>(new UnaryAnswer(response));
    MutexLock lock(answer->mutex_);
    answer->self_ = answer;
    return answer;
  }

  template <class Fill>
  void finish(const absl::Status& status, Fill&& fill) {
    {
      MutexLock lock(mutex_);
      if (std::exchange(answered_, true)) return;
    }
    if (status.ok()) fill(*response_);
    Finish(toGrpcStatus(status));
  }

  // The client went away or the server shuts down: nobody waits for the answer.
  void OnCancel() override {
    finish(absl::CancelledError("the call was cancelled"), [](Response&) {});
  }
  void OnDone() override {
    std::shared_ptr<UnaryAnswer> last_owner;
    MutexLock lock(mutex_);
    last_owner.swap(self_);
  }

 private:
  explicit UnaryAnswer(Response* response) : response_(response) {}

  Response* const response_;
  Mutex mutex_;
  std::shared_ptr<UnaryAnswer> self_ ABSL_GUARDED_BY(mutex_);  // Until OnDone.
  bool answered_ ABSL_GUARDED_BY(mutex_) = false;
};

// gRPC calls one reaction after the other, on any of its threads. What the reactors below lock
// makes that order visible to ThreadSanitizer, which cannot see into gRPC.

/// Takes a binary chunk by chunk.
class UploadReactor final : public grpc::ServerReadReactor<proto::BinaryChunk> {
 public:
  explicit UploadReactor(BlobStore& blobs) : blobs_(blobs) {
    { MutexLock lock(mutex_); }
    StartRead(&chunk_);
  }

  void OnReadDone(bool ok) override {
    absl::Status status;
    {
      MutexLock lock(mutex_);
      status = ok ? append() : finishUpload();
    }
    ok&& status.ok() ? StartRead(&chunk_) : Finish(toGrpcStatus(status));
  }
  void OnDone() override {
    { MutexLock lock(mutex_); }
    delete this;
  }

 private:
  absl::Status append() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (upload_ == nullptr) {
      WIESEL_ASSIGN_OR_RETURN(upload_, blobs_.beginUpload(chunk_.content_hash()));
    }
    return upload_->append(chunk_.data());
  }

  absl::Status finishUpload() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (upload_ == nullptr) return absl::InvalidArgumentError("no binary was uploaded");
    return upload_->finish();
  }

  BlobStore& blobs_;
  Mutex mutex_;
  proto::BinaryChunk chunk_;
  std::unique_ptr<BlobUpload> upload_ ABSL_GUARDED_BY(mutex_);
};

/// Gives a binary chunk by chunk.
class DownloadReactor final : public grpc::ServerWriteReactor<proto::BinaryChunk> {
 public:
  explicit DownloadReactor(absl::StatusOr<ChunkReader> reader) : reader_(std::move(reader)) {
    writeNext();
  }

  void OnWriteDone(bool ok) override { ok ? writeNext() : Finish(grpc::Status::CANCELLED); }
  void OnDone() override {
    { MutexLock lock(mutex_); }
    delete this;
  }

 private:
  void writeNext() {
    absl::StatusOr<bool> more;
    {
      MutexLock lock(mutex_);
      more = reader_.ok() ? reader_->next(chunk_) : reader_.status();
    }
    more.ok() && *more ? StartWrite(&chunk_) : Finish(toGrpcStatus(more.status()));
  }

  Mutex mutex_;
  absl::StatusOr<ChunkReader> reader_ ABSL_GUARDED_BY(mutex_);
  proto::BinaryChunk chunk_;
};

}  // namespace

grpc::ServerUnaryReactor* GrpcClientService::PrepareBinary(
    grpc::CallbackServerContext* /*context*/, const proto::PrepareBinaryRequest* request,
    proto::PrepareBinaryResponse* response) {
  auto answer = UnaryAnswer<proto::PrepareBinaryResponse>::make(response);
  disk_work_.execute([this, answer, request = *request] {
    proto::PrepareBinaryResponse prepared;
    const absl::Status status = prepare(request, prepared);
    answer->finish(status, [&](proto::PrepareBinaryResponse& out) { out = prepared; });
  });
  return answer.get();
}

absl::Status GrpcClientService::prepare(const proto::PrepareBinaryRequest& request,
                                        proto::PrepareBinaryResponse& response) {
  if (blobs_.contains(request.content_hash())) {
    response.set_present(true);
    response.set_content_hash(request.content_hash());
    return absl::OkStatus();
  }
  if (!request.has_local_file() || !isSameFileHere(request.local_file())) return absl::OkStatus();
  const absl::StatusOr<std::string> hash = blobs_.addFile(request.local_file().path());
  if (!hash.ok()) {
    // The client may read it where we may not; it will send the bytes.
    WIESEL_LOG(WARN) << "Could not take a job's binary from where it is: "
                     << hash.status().message();
    return absl::OkStatus();
  }
  response.set_present(true);
  response.set_content_hash(*hash);
  return absl::OkStatus();
}

grpc::ServerReadReactor<proto::BinaryChunk>* GrpcClientService::UploadBinary(
    grpc::CallbackServerContext* /*context*/, proto::UploadBinaryResponse* /*response*/) {
  return new UploadReactor(blobs_);
}

absl::StatusOr<ChunkReader> GrpcClientService::openBlob(const std::string& hash) {
  WIESEL_ASSIGN_OR_RETURN(const std::string path, blobs_.pathOf(hash));
  return ChunkReader::open(path, hash);
}

grpc::ServerWriteReactor<proto::BinaryChunk>* GrpcClientService::DownloadBinary(
    grpc::CallbackServerContext* /*context*/, const proto::DownloadBinaryRequest* request) {
  return new DownloadReactor(openBlob(request->content_hash()));
}

grpc::ServerUnaryReactor* GrpcClientService::SubmitJob(grpc::CallbackServerContext* /*context*/,
                                                       const proto::SubmitJobRequest* request,
                                                       proto::SubmitJobResponse* response) {
  auto answer = UnaryAnswer<proto::SubmitJobResponse>::make(response);
  if (request->version() != kVersion) {
    answer->finish(absl::FailedPreconditionError(absl::StrFormat(
                       "the job was built with Wiesel %s, but the JobManager is %s; build the job "
                       "again with the cluster's version",
                       request->version(), kVersion)),
                   [](proto::SubmitJobResponse&) {});
    return answer.get();
  }
  handler_.submitJob(*request, [answer](const absl::StatusOr<std::string>& job_id) {
    answer->finish(job_id.status(),
                   [&](proto::SubmitJobResponse& out) { out.set_job_id(*job_id); });
  });
  return answer.get();
}

grpc::ServerUnaryReactor* GrpcClientService::WaitForJob(grpc::CallbackServerContext* /*context*/,
                                                        const proto::JobRequest* request,
                                                        proto::JobResult* response) {
  auto answer = UnaryAnswer<proto::JobResult>::make(response);
  handler_.waitForJob(request->job_id(), [answer](const absl::StatusOr<proto::JobResult>& result) {
    answer->finish(result.status(), [&](proto::JobResult& out) { out = *result; });
  });
  return answer.get();
}

grpc::ServerUnaryReactor* GrpcClientService::CancelJob(grpc::CallbackServerContext* /*context*/,
                                                       const proto::JobRequest* request,
                                                       proto::CancelJobResponse* response) {
  auto answer = UnaryAnswer<proto::CancelJobResponse>::make(response);
  handler_.cancelJob(request->job_id(), [answer](const absl::Status& status) {
    answer->finish(status, [](proto::CancelJobResponse&) {});
  });
  return answer.get();
}

}  // namespace wiesel::runtime
