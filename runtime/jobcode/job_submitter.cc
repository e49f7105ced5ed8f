#include "runtime/jobcode/job_submitter.h"

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/ids.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "runtime/jobcode/blob_client.h"
#include "runtime/jobcode/submission_status.h"
#include "runtime/proto/client.grpc.pb.h"
#include "runtime/rpc/grpc_channel.h"

namespace wiesel::runtime {

namespace {

constexpr char kOwnBinary[] = "/proc/self/exe";
/// Of the client's environment, beside its configuration, what the job's workers are to have.
constexpr const char* kInheritedVariables[] = {"TZ"};

/// argv[1] and following of this process.
std::vector<std::string> ownArguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> arguments;
  for (size_t begin = text.find('\0') + 1; begin < text.size();) {
    const size_t end = text.find('\0', begin);
    arguments.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

absl::StatusOr<std::string> ownBinary() {
  std::string path(4096, '\0');
  const ssize_t length = ::readlink(kOwnBinary, path.data(), path.size());
  if (length <= 0) return absl::InternalError("cannot find this program's own file");
  path.resize(static_cast<size_t>(length));
  return path;
}

void printLine(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

absl::StatusOr<std::string> submit(const std::shared_ptr<grpc::Channel>& channel,
                                   const std::string& peer, const proto::JobGraph& graph,
                                   const ClientEnvironment& client) {
  proto::SubmitJobRequest request;
  WIESEL_ASSIGN_OR_RETURN(const std::string binary, ownBinary());
  WIESEL_ASSIGN_OR_RETURN(*request.mutable_binary_hash(), provideBinary(channel, peer, binary));
  *request.mutable_graph() = graph;
  if (graph.job_id().empty()) {
    SystemRandom random;
    request.mutable_graph()->set_job_id(randomId(random).toHex());
  }
  for (const std::string& argument : ownArguments()) request.add_arguments(argument);
  for (const auto& [name, value] : configurationVariables(client.configuration)) {
    (*request.mutable_environment())[name] = value;
  }
  for (const char* name : kInheritedVariables) {
    if (const char* value = std::getenv(name)) (*request.mutable_environment())[name] = value;
  }
  request.set_version(std::string(kVersion));

  grpc::ClientContext context;
  proto::SubmitJobResponse response;
  const auto stub = proto::ClientService::NewStub(channel);
  WIESEL_RETURN_IF_ERROR(fromGrpcStatus(stub->SubmitJob(&context, request, &response), peer));
  return response.job_id();
}

absl::StatusOr<proto::JobResult> waitForResult(const std::shared_ptr<grpc::Channel>& channel,
                                               const std::string& peer, const std::string& job_id) {
  grpc::ClientContext context;
  proto::JobRequest request;
  request.set_job_id(job_id);
  proto::JobResult result;
  const auto stub = proto::ClientService::NewStub(channel);
  const absl::Status status = fromGrpcStatus(stub->WaitForJob(&context, request, &result), peer);
  if (absl::IsUnavailable(status) || absl::IsCancelled(status)) {
    return absl::UnavailableError(
        absl::StrFormat("lost the %s while job %s was running", peer, job_id));
  }
  WIESEL_RETURN_IF_ERROR(status);
  return result;
}

}  // namespace

absl::StatusOr<SubmittedJob> submitJob(const proto::JobGraph& graph,
                                       const ClientEnvironment& client) {
  writeSubmissionStatus(client.status_fd, kStatusExecute, "");
  WIESEL_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                          newGrpcChannel(client.rpc_address));
  const std::string peer = "JobManager at " + client.rpc_address;
  SubmittedJob job;
  WIESEL_ASSIGN_OR_RETURN(job.job_id, submit(channel, peer, graph, client));
  writeSubmissionStatus(client.status_fd, kStatusSubmitted, job.job_id);
  printLine("Job has been submitted with JobID " + job.job_id);
  if (client.detached) return job;

  WIESEL_ASSIGN_OR_RETURN(job.result, waitForResult(channel, peer, job.job_id));
  writeSubmissionStatus(client.status_fd, kStatusFailureDetail, job.result->failure_detail());
  writeSubmissionStatus(client.status_fd, kStatusState, job.result->state());
  if (job.result->state() == "FINISHED") {
    printLine("Program execution finished");
    printLine(absl::StrFormat("Job with JobID %s has finished.", job.job_id));
    printLine(absl::StrFormat("Job Runtime: %d ms", job.result->runtime_ms()));
  }
  return job;
}

}  // namespace wiesel::runtime
