#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime::testing {
namespace {

using ::testing::HasSubstr;
using wiesel::testing::StatusIs;

const std::string kJob = twoVertexJob(1).job_id();

/// Brings a job of parallelism 1 into a state.
struct Phase {
  std::string name;
  std::function<void(FakeCluster&)> reach;
};

void submitEndless(FakeCluster& cluster) {
  cluster.script.run_ms = -1;
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(1), 100, 1'000)));
}

void run(FakeCluster& cluster) {
  cluster.addTaskManager("tm-1", 1);
  submitEndless(cluster);
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
}

std::vector<Phase> phases() {
  return {
      {"WaitingForSlots",
       [](FakeCluster& cluster) {
         submitEndless(cluster);
         cluster.world.runFor(10);
       }},
      {"WaitingForAWorker",
       [](FakeCluster& cluster) {
         cluster.script.start_ms = 1'000;
         cluster.addTaskManager("tm-1", 1);
         submitEndless(cluster);
         cluster.world.runFor(100);
       }},
      {"Deploying",
       [](FakeCluster& cluster) {
         cluster.script.initialize_ms = 1'000;
         cluster.addTaskManager("tm-1", 1);
         submitEndless(cluster);
         ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::INITIALIZING));
       }},
      {"Running", run},
      {"RestartingWhileTasksEnd",
       [](FakeCluster& cluster) {
         run(cluster);
         cluster.script.cancel_ms = 500;
         auto [worker, task] = cluster.deployments.front();
         proto::TaskRef ref;
         ref.set_vertex_id(task.vertex_id());
         worker->fail(ref, "it broke");
         ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kRestarting));
         cluster.world.runFor(100);
       }},
      {"RestartingInTheDelay",
       [](FakeCluster& cluster) {
         run(cluster);
         cluster.crash(*cluster.workerOn("tm-1"), "killed");
         cluster.world.runFor(500);
         ASSERT_EQ(cluster.status(kJob), JobStatus::kRestarting);
       }},
      {"WaitingForSlotsAgain",
       [](FakeCluster& cluster) {
         run(cluster);
         cluster.taskManager("tm-1").die("killed");
         cluster.world.runFor(2'000);
         ASSERT_EQ(cluster.status(kJob), JobStatus::kRunning);
       }},
  };
}

class CancelTest : public ::testing::TestWithParam<Phase> {};

TEST_P(CancelTest, EndsInCanceledWithEverythingGivenBack) {
  FakeCluster cluster;
  GetParam().reach(cluster);
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_OK(cluster.dispatcher().cancel(kJob));
  EXPECT_OK(cluster.dispatcher().cancel(kJob)) << "twice is as good as once";
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kCanceled));
  cluster.world.runFor(10'000);
  EXPECT_EQ(cluster.resources().freeSlots(), cluster.resources().totalSlots());
  EXPECT_EQ(cluster.livingWorkers().size(), 0u);
  const JobView view = cluster.view(kJob);
  EXPECT_EQ(view.task_counts[proto::CANCELED] + view.task_counts[proto::FAILED], 2);
  EXPECT_EQ(view.failure, std::nullopt);
  EXPECT_OK(cluster.dispatcher().cancel(kJob)) << "CANCELED is what was asked for";
}

INSTANTIATE_TEST_SUITE_P(Phases, CancelTest, ::testing::ValuesIn(phases()),
                         [](const auto& info) { return info.param.name; });

TEST(CancelJobTest, AnUnknownJobIsNotFound) {
  FakeCluster cluster;
  EXPECT_THAT(cluster.dispatcher().cancel(kJob),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("Could not find Flink job")));
}

TEST(CancelJobTest, AFinishedJobCannotBeCancelled) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  EXPECT_THAT(cluster.dispatcher().cancel(kJob),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("already reached another terminal state (FINISHED)")));
}

TEST(CancelJobTest, BeforeTheJobHasItsStorageItCountsToo) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  JobSubmission submission;
  submission.graph = withCheckpoints(twoVertexJob(1), 1'000, "RETAIN_ON_CANCELLATION");
  cluster.dispatcher().submit(std::move(submission), [](const auto&) {});
  EXPECT_EQ(cluster.status(kJob), JobStatus::kInitializing);
  ASSERT_OK(cluster.dispatcher().cancel(kJob));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kCanceled));
  EXPECT_EQ(cluster.deployments.size(), 0u);
}

TEST(CancelJobTest, AWorkerThatIgnoresItIsKilledAfterTheTimeout) {
  FakeClusterOptions options;
  options.settings.dispatcher.jobs.scheduler.cancellation_timeout_ms = 5'000;
  FakeCluster cluster(options);
  run(cluster);
  ASSERT_FALSE(HasFatalFailure());
  cluster.script.cancel_ms = -1;
  FakeWorker* worker = cluster.workerOn("tm-1");
  ASSERT_OK(cluster.dispatcher().cancel(kJob));
  cluster.world.runFor(4'990);
  EXPECT_EQ(cluster.status(kJob), JobStatus::kCancelling);
  EXPECT_TRUE(worker->isAlive());
  cluster.world.runFor(20);
  EXPECT_EQ(cluster.status(kJob), JobStatus::kCanceled);
  EXPECT_FALSE(worker->isAlive());
}

TEST(CancelJobTest, TheDeathOfAWorkerMeanwhileDoesNotHoldItUp) {
  FakeCluster cluster;
  run(cluster);
  ASSERT_FALSE(HasFatalFailure());
  cluster.script.cancel_ms = -1;
  ASSERT_OK(cluster.dispatcher().cancel(kJob));
  cluster.world.runFor(10);
  cluster.crash(*cluster.workerOn("tm-1"), "killed");
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kCanceled, 100));
}

}  // namespace
}  // namespace wiesel::runtime::testing
