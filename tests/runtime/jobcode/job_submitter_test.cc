#include "runtime/jobcode/job_submitter.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <string>
#include <utility>

#include "common/version.h"
#include "common/xxh.h"
#include "runtime/jobcode/blob_client.h"
#include "runtime/jobcode/submission_status.h"
#include "runtime/proto/client.grpc.pb.h"
#include "runtime/rpc/grpc_channel.h"
#include "tests/runtime/rpc/link_cluster.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using wiesel::testing::IsOk;
using wiesel::testing::StatusIs;

constexpr char kJobId[] = "1be0a52c02fc65443834beb866c30599";

class JobSubmitterTest : public ::testing::Test {
 protected:
  JobSubmitterTest() {
    EXPECT_EQ(::pipe(status_pipe_), 0);
    client_.rpc_address = cluster_.address();
    client_.status_fd = status_pipe_[1];
    client_.configuration.setString("parallelism.default", "3");
  }

  /// Submits on another thread, with what it prints captured.
  void submit() {
    ::testing::internal::CaptureStdout();
    submitted_ = std::async(std::launch::async, [this] { return submitJob(graph_, client_); });
  }

  absl::StatusOr<SubmittedJob> finish() {
    absl::StatusOr<SubmittedJob> job = submitted_.get();
    printed_ = ::testing::internal::GetCapturedStdout();
    return job;
  }

  /// What `wiesel run` has heard.
  SubmissionStatus heard() {
    ::close(std::exchange(status_pipe_[1], -1));
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(status_pipe_[0], buffer, sizeof(buffer))) > 0;) {
      text.append(buffer, static_cast<size_t>(n));
    }
    SubmissionStatus status;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) status.read(line);
    return status;
  }

  static proto::JobResult resultOf(const std::string& state) {
    proto::JobResult result;
    result.set_job_id(kJobId);
    result.set_state(state);
    result.set_runtime_ms(8450);
    return result;
  }

  LinkServerFixture cluster_;
  proto::JobGraph graph_;
  ClientEnvironment client_;
  int status_pipe_[2] = {-1, -1};
  std::future<absl::StatusOr<SubmittedJob>> submitted_;
  std::string printed_;
};

TEST_F(JobSubmitterTest, BringsGraphBinaryArgumentsAndEnvironment) {
  client_.detached = true;
  graph_.set_name("left join");
  ::setenv("TZ", "Asia/Shanghai", 1);
  submit();
  auto submission = cluster_.master.submissions.pop();
  ASSERT_TRUE(submission.has_value());
  const proto::SubmitJobRequest& request = submission->first;
  EXPECT_EQ(request.graph().name(), "left join");
  EXPECT_EQ(request.graph().job_id().size(), 32);
  ::unsetenv("TZ");
  EXPECT_TRUE(cluster_.blobs->contains(request.binary_hash()));
  EXPECT_EQ(request.environment().at("TZ"), "Asia/Shanghai");
  for (const auto& [name, value] : configurationVariables(client_.configuration)) {
    EXPECT_EQ(request.environment().at(name), value);
  }
  submission->second(std::string(kJobId));

  ASSERT_OK_AND_ASSIGN(const SubmittedJob job, finish());
  EXPECT_EQ(job.job_id, kJobId);
  EXPECT_FALSE(job.result.has_value());
  EXPECT_EQ(printed_, std::string("Job has been submitted with JobID ") + kJobId + "\n");
  const SubmissionStatus status = heard();
  EXPECT_EQ(status.submitted_job_id, kJobId);
  EXPECT_EQ(status.state, "");
}

TEST_F(JobSubmitterTest, WaitsForAJobAndPrintsThatItHasFinished) {
  submit();
  cluster_.master.submissions.pop()->second(std::string(kJobId));
  const auto wait = cluster_.master.waits.pop();
  ASSERT_TRUE(wait.has_value());
  EXPECT_EQ(wait->first, kJobId);
  wait->second(resultOf("FINISHED"));

  ASSERT_OK_AND_ASSIGN(const SubmittedJob job, finish());
  ASSERT_TRUE(job.result.has_value());
  EXPECT_EQ(job.result->state(), "FINISHED");
  const std::string id = kJobId;
  EXPECT_EQ(printed_, "Job has been submitted with JobID " + id +
                          "\nProgram execution finished\nJob with JobID " + id +
                          " has finished.\nJob Runtime: 8450 ms\n");
  EXPECT_EQ(heard().state, "FINISHED");
}

TEST_F(JobSubmitterTest, TellsWhyAJobFailed) {
  submit();
  cluster_.master.submissions.pop()->second(std::string(kJobId));
  proto::JobResult result = resultOf("FAILED");
  result.set_failure("boom (operator 'map', subtask 1/2)");
  result.set_failure_detail("org.apache.flink.runtime.JobException: ...\nCaused by: boom");
  cluster_.master.waits.pop()->second(result);

  ASSERT_OK_AND_ASSIGN(const SubmittedJob job, finish());
  EXPECT_EQ(job.result->failure(), "boom (operator 'map', subtask 1/2)");
  EXPECT_THAT(printed_, Not(HasSubstr("finished")));
  const SubmissionStatus status = heard();
  EXPECT_EQ(status.state, "FAILED");
  EXPECT_EQ(status.failure_detail, result.failure_detail());
}

TEST_F(JobSubmitterTest, PassesOnWhyAJobWasRefused) {
  submit();
  cluster_.master.submissions.pop()->second(
      absl::InvalidArgumentError("execution.checkpointing.dir: not a directory"));
  EXPECT_THAT(finish(), StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("execution.checkpointing.dir: not a directory")));
  EXPECT_THAT(printed_, IsEmpty());
  const SubmissionStatus status = heard();
  EXPECT_TRUE(status.called_execute);
  EXPECT_EQ(status.submitted_job_id, "");
}

TEST_F(JobSubmitterTest, NamesAJobManagerThatIsNotThere) {
  cluster_.server->shutdown();
  submit();
  EXPECT_THAT(finish(),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("cannot reach the JobManager at " + client_.rpc_address),
                             HasSubstr("Connection refused"))));
}

TEST_F(JobSubmitterTest, NamesAJobManagerThatIsLost) {
  submit();
  cluster_.master.submissions.pop()->second(std::string(kJobId));
  ASSERT_TRUE(cluster_.master.waits.pop().has_value());
  cluster_.server->shutdown();
  EXPECT_THAT(finish(), StatusIs(absl::StatusCode::kUnavailable,
                                 AllOf(HasSubstr("lost the JobManager"), HasSubstr(kJobId))));
}

TEST_F(JobSubmitterTest, RefusesAJobOfAnotherVersion) {
  const auto channel = newGrpcChannel(cluster_.address()).value();
  grpc::ClientContext context;
  proto::SubmitJobRequest request;
  request.set_version("0.0.1");
  proto::SubmitJobResponse response;
  const auto stub = proto::ClientService::NewStub(channel);
  const absl::Status status =
      fromGrpcStatus(stub->SubmitJob(&context, request, &response), "JobManager");
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                               AllOf(HasSubstr("0.0.1"), HasSubstr(std::string(kVersion)))));
}

TEST_F(JobSubmitterTest, UploadsABinaryThatTheJobManagerCannotTake) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory.file("job");
  // More than one chunk. That it cannot be executed keeps the JobManager from linking it.
  std::string bytes(3'000'000, 'x');
  bytes += "end";
  std::ofstream(path) << bytes;
  ::chmod(path.c_str(), 0644);
  const auto channel = newGrpcChannel(cluster_.address()).value();
  ASSERT_OK_AND_ASSIGN(const std::string hash, provideBinary(channel, "JobManager", path));
  EXPECT_EQ(hash, contentHash(bytes));
  EXPECT_THAT(cluster_.blobs->pathOf(hash), IsOk());
  EXPECT_THAT(provideBinary(channel, "JobManager", path), IsOk());
}

}  // namespace
}  // namespace wiesel::runtime
