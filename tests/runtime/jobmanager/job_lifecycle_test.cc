#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime::testing {
namespace {

using ::testing::HasSubstr;
using wiesel::testing::StatusIs;

const std::string kJob = twoVertexJob(1).job_id();

JobStatus statusOf(const absl::StatusOr<JobView>& view) { return view->status; }

TEST(JobLifecycleTest, AJobStartsAWorkerRunsAndFinishes) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 2);
  ASSERT_OK(cluster.submit(twoVertexJob(2)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  EXPECT_EQ(cluster.status(kJob), JobStatus::kRunning);
  EXPECT_EQ(cluster.resources().freeSlots(), 0);

  FakeWorker* worker = cluster.workerOn("tm-1");
  ASSERT_NE(worker, nullptr);
  EXPECT_EQ(cluster.livingWorkers().size(), 1u) << "one for all tasks of the job";
  EXPECT_EQ(worker->start().arguments(0), "--flag");
  EXPECT_EQ(worker->start().managed_memory_bytes(), 2'000);

  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  cluster.world.runUntilIdle();
  EXPECT_EQ(cluster.resources().freeSlots(), 2);
  EXPECT_FALSE(worker->isAlive()) << "it was told to end";
}

TEST(JobLifecycleTest, TheViewHasTheStatesAndTimesThatRestShows) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 2);
  ASSERT_OK(cluster.submit(twoVertexJob(2)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  const JobView running = cluster.view(kJob);
  EXPECT_EQ(running.name, "two vertices");
  EXPECT_EQ(running.end_ms, -1);
  EXPECT_EQ(running.durationMs(), running.now_ms - running.start_ms);
  ASSERT_EQ(running.vertices.size(), 2u);
  EXPECT_EQ(running.vertices[0].state, proto::RUNNING);
  EXPECT_EQ(running.vertices[0].counts[proto::RUNNING], 2);
  EXPECT_EQ(running.vertices[0].endMs(), -1);
  EXPECT_EQ(running.vertices[0].subtasks[1].task_manager_id, "tm-1");
  EXPECT_EQ(running.vertices[0].subtasks[1].host, "127.0.0.1");
  EXPECT_THAT(running.vertices[0].subtasks[1].endpoint, HasSubstr("127.0.0.1:"));
  EXPECT_EQ(running.task_counts[proto::RUNNING], 4);
  EXPECT_EQ(running.graph->job_id(), kJob);

  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  const JobView finished = cluster.view(kJob);
  EXPECT_GT(finished.end_ms, finished.start_ms);
  EXPECT_EQ(finished.vertices[1].state, proto::FINISHED);
  EXPECT_GT(finished.vertices[1].endMs(), finished.vertices[1].startMs());
  for (const JobStatus status :
       {JobStatus::kInitializing, JobStatus::kCreated, JobStatus::kRunning, JobStatus::kFinished}) {
    EXPECT_GT(finished.status_entered_ms[static_cast<size_t>(status)], 0) << nameOf(status);
  }
  EXPECT_EQ(finished.status_entered_ms[static_cast<size_t>(JobStatus::kRestarting)], 0);
  EXPECT_EQ(finished.failure, std::nullopt);
}

TEST(JobLifecycleTest, TasksAreDealtOutToTheSlotsOfSeveralTaskManagers) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  cluster.addTaskManager("tm-2", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(2)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  for (const auto& [worker, task] : cluster.deployments) {
    EXPECT_EQ(worker->owner().id(), task.subtask() == 0 ? "tm-1" : "tm-2");
    for (const proto::InputChannel& input : task.inputs()) {
      EXPECT_EQ(input.worker_id() == worker->id(), input.channel().subtask() == task.subtask());
    }
  }
  EXPECT_EQ(cluster.deployments.size(), 4u);
}

TEST(JobLifecycleTest, WaitersAreToldWhenTheJobIsOver) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  std::vector<JobStatus> told;
  const auto tell = [&](const absl::StatusOr<JobView>& view) { told.push_back(statusOf(view)); };
  cluster.dispatcher().waitFor(kJob, tell);
  cluster.world.runFor(10);
  EXPECT_EQ(told.size(), 0u);
  ASSERT_TRUE(cluster.runUntil([&] { return told.size() == 1; }));
  cluster.dispatcher().waitFor(kJob, tell);
  cluster.world.runUntilIdle();
  EXPECT_EQ(told, (std::vector<JobStatus>{JobStatus::kFinished, JobStatus::kFinished}));
}

TEST(JobLifecycleTest, NobodyWaitsForAJobThatDoesNotExist) {
  FakeCluster cluster;
  std::optional<absl::Status> told;
  cluster.dispatcher().waitFor(kJob, [&](const auto& view) { told = view.status(); });
  cluster.world.runUntilIdle();
  ASSERT_TRUE(told.has_value());
  EXPECT_THAT(*told, StatusIs(absl::StatusCode::kNotFound,
                              HasSubstr("Could not find Flink job (" + kJob + ")")));
}

TEST(JobLifecycleTest, AJobIdIsUsedOnce) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  EXPECT_THAT(cluster.submit(twoVertexJob(1)), StatusIs(absl::StatusCode::kAlreadyExists));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  EXPECT_THAT(cluster.submit(twoVertexJob(1)), StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST(JobLifecycleTest, ABadGraphIsRefusedAndLeavesNothing) {
  FakeCluster cluster;
  proto::JobGraph graph = twoVertexJob(1);
  graph.mutable_vertices(0)->set_parallelism(0);
  EXPECT_THAT(cluster.submit(graph), StatusIs(absl::StatusCode::kInvalidArgument,
                                              HasSubstr("operator 'Source: numbers'")));
  EXPECT_EQ(cluster.dispatcher().jobs().size(), 0u);
}

TEST(JobLifecycleTest, ABadCheckpointSettingIsRefusedByName) {
  FakeCluster cluster;
  proto::JobGraph graph = withCheckpoints(twoVertexJob(1), 1'000, "KEEP");
  EXPECT_THAT(cluster.submit(graph),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("externalized-checkpoint-retention is 'KEEP'")));
}

TEST(JobLifecycleTest, TwoJobsHaveWorkersAndSlotsOfTheirOwn) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 2);
  ASSERT_OK(cluster.submit(twoVertexJob(1, 1)));
  ASSERT_OK(cluster.submit(twoVertexJob(1, 2)));
  const std::string second = twoVertexJob(1, 2).job_id();
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  ASSERT_TRUE(cluster.runUntilTasks(second, proto::RUNNING));
  EXPECT_EQ(cluster.livingWorkers().size(), 2u);
  FakeWorker* first_worker = cluster.livingWorkers().front();
  cluster.crash(*first_worker, "killed by signal 11 (SIGSEGV)");
  const std::string& failed = first_worker->jobId();
  ASSERT_TRUE(cluster.runUntilStatus(failed, JobStatus::kFailed));
  ASSERT_TRUE(cluster.runUntilStatus(failed == kJob ? second : kJob, JobStatus::kFinished));
}

TEST(JobLifecycleTest, JobsThatAreOverAreForgottenAfterTheirTime) {
  FakeClusterOptions options;
  options.settings.dispatcher.expiration_ms = 10'000;
  FakeCluster cluster(options);
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  cluster.world.runFor(10'000);
  EXPECT_EQ(cluster.dispatcher().jobs().size(), 1u);
  cluster.world.runFor(1);
  EXPECT_EQ(cluster.dispatcher().jobs().size(), 0u);
}

TEST(JobLifecycleTest, OnlyTheNewestJobsThatAreOverAreRemembered) {
  FakeClusterOptions options;
  options.settings.dispatcher.max_finished_jobs = 2;
  FakeCluster cluster(options);
  cluster.addTaskManager("tm-1", 1);
  for (uint64_t number = 1; number <= 3; ++number) {
    const proto::JobGraph graph = twoVertexJob(1, number);
    ASSERT_OK(cluster.submit(graph));
    ASSERT_TRUE(cluster.runUntilStatus(graph.job_id(), JobStatus::kFinished));
  }
  const std::vector<JobView> jobs = cluster.dispatcher().jobs();
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].id, twoVertexJob(1, 3).job_id());
  EXPECT_EQ(jobs[1].id, twoVertexJob(1, 2).job_id());
}

TEST(JobLifecycleTest, AGraphThatDiffersInTheWorkerFailsTheJobForGood) {
  FakeCluster cluster;
  cluster.script.graph_error = "operator 'map' is named 'filter' in the worker";
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(1), 100, 0)));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFailed));
  const JobView view = cluster.view(kJob);
  ASSERT_TRUE(view.failure.has_value());
  EXPECT_EQ(view.failure->line, "operator 'map' is named 'filter' in the worker");
  EXPECT_EQ(view.failure->job_exception, "The failure is not recoverable");
  EXPECT_EQ(view.restarts, 0);
  cluster.world.runFor(10'000);
  EXPECT_EQ(cluster.livingWorkers().size(), 0u);
  EXPECT_EQ(cluster.resources().freeSlots(), 1);
}

TEST(JobLifecycleTest, AWorkerMayFindTheDifferenceAfterItHasRegistered) {
  FakeCluster cluster;
  cluster.script.run_ms = -1;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(1), 100, 0)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  proto::WorkerToMaster complaint;
  complaint.mutable_register_()->set_graph_error("operator 'map' is missing in the worker");
  cluster.workerOn("tm-1")->send(complaint);
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFailed));
  EXPECT_EQ(cluster.view(kJob).failure->line, "operator 'map' is missing in the worker");
}

TEST(JobLifecycleTest, ADifferenceThatIsFoundWhileTheJobIsCancelledDoesNotHoldItUp) {
  FakeCluster cluster;
  cluster.script.run_ms = cluster.script.cancel_ms = -1;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  ASSERT_OK(cluster.dispatcher().cancel(kJob));
  proto::WorkerToMaster complaint;
  complaint.mutable_register_()->set_graph_error("operator 'map' is missing in the worker");
  cluster.workerOn("tm-1")->send(complaint);
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kCanceled, 100));
}

TEST(JobLifecycleTest, AWorkerThatNobodyExpectsIsToldToEnd) {
  FakeCluster cluster;
  FakeTaskManager& owner = cluster.addTaskManager("tm-1", 1);
  proto::StartWorker start;
  start.set_job_id(kJob);
  start.set_worker_id("stray");
  FakeWorker of_no_job(cluster, owner, start);
  ASSERT_TRUE(cluster.runUntil([&] { return !of_no_job.isAlive(); }));

  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  FakeWorker not_started_by_the_job(cluster, owner, start);
  ASSERT_TRUE(cluster.runUntil([&] { return !not_started_by_the_job.isAlive(); }));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
}

// ---- Waiting for slots ----

TEST(SlotWaitTest, AJobSaysThatItWaitsAndGoesOnWhenSlotsCome) {
  FakeCluster cluster;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(2)));
  cluster.world.runFor(1'000);
  EXPECT_EQ(cluster.view(kJob).waiting, "waiting for 2 slots, 1 there");
  EXPECT_EQ(cluster.view(kJob).task_counts[proto::SCHEDULED], 4);
  EXPECT_EQ(cluster.livingWorkers().size(), 0u);
  cluster.addTaskManager("tm-2", 1);
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  EXPECT_EQ(cluster.view(kJob).waiting, "");
}

TEST(SlotWaitTest, AJobThatNeverGetsItsSlotsFailsAfterTheTimeoutWhateverItsRestartStrategy) {
  FakeClusterOptions options;
  options.settings.dispatcher.jobs.scheduler.slot_request_timeout_ms = 3'000;
  FakeCluster cluster(options);
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(2), 100, 0)));
  cluster.world.runFor(2'990);
  EXPECT_EQ(cluster.status(kJob), JobStatus::kRunning);
  cluster.world.runFor(20);
  ASSERT_EQ(cluster.status(kJob), JobStatus::kFailed);
  const FailureView failure = cluster.view(kJob).failure.value();
  EXPECT_THAT(failure.line,
              HasSubstr("NoResourceAvailableException: Could not acquire the minimum required "
                        "resources: the job was waiting for 2 slots, 1 there, for 3000 ms "
                        "(slot.request.timeout)"));
  EXPECT_EQ(cluster.resources().freeSlots(), 1);
}

TEST(SlotWaitTest, TheJobsOwnTimeoutWins) {
  FakeCluster cluster;
  proto::JobGraph graph = twoVertexJob(2);
  (*graph.mutable_configuration())["slot.request.timeout"] = "2 s";
  ASSERT_OK(cluster.submit(graph));
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFailed, 2'100));
}

TEST(SlotWaitTest, AJobsMalformedTimeoutIsRefused) {
  FakeCluster cluster;
  proto::JobGraph graph = twoVertexJob(2);
  (*graph.mutable_configuration())["slot.request.timeout"] = "soon";
  EXPECT_THAT(cluster.submit(graph),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("slot.request.timeout")));
}

TEST(SlotWaitTest, AfterItHasRunTheRestartStrategyDecides) {
  FakeClusterOptions options;
  options.settings.dispatcher.jobs.scheduler.slot_request_timeout_ms = 3'000;
  FakeCluster cluster(options);
  cluster.script.run_ms = -1;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(1), 100, 0)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  cluster.taskManager("tm-1").die("killed");
  cluster.world.runFor(10'000);
  EXPECT_EQ(cluster.status(kJob), JobStatus::kRunning);
  EXPECT_EQ(cluster.view(kJob).restarts, 4) << "the kill, and three times no slots";
  cluster.addTaskManager("tm-1", 1);
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
}

TEST(SlotWaitTest, ATaskManagerThatIsLostWhileWaitingIsNoFailure) {
  FakeCluster cluster;
  cluster.script.start_ms = 1'000;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  cluster.world.runFor(500);
  cluster.taskManager("tm-1").die("killed");
  cluster.world.runFor(500);
  cluster.addTaskManager("tm-2", 1);
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFinished));
  EXPECT_EQ(cluster.view(kJob).restarts, 0);
}

TEST(SlotWaitTest, AWorkerThatDoesNotConnectIsAFailure) {
  FakeClusterOptions options;
  options.settings.dispatcher.jobs.scheduler.slot_request_timeout_ms = 3'000;
  FakeCluster cluster(options);
  cluster.script.start_ms = -1;
  cluster.addTaskManager("tm-1", 1);
  ASSERT_OK(cluster.submit(twoVertexJob(1)));
  cluster.world.runFor(1'000);
  EXPECT_EQ(cluster.view(kJob).waiting, "waiting for 1 worker process to start");
  ASSERT_TRUE(cluster.runUntilStatus(kJob, JobStatus::kFailed));
  EXPECT_THAT(cluster.view(kJob).failure->line,
              HasSubstr("the worker process did not connect to the JobManager within 3000 ms"));
}

}  // namespace
}  // namespace wiesel::runtime::testing
