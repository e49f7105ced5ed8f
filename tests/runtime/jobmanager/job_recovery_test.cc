#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/log.h"
#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime::testing {
namespace {

using ::testing::HasSubstr;

const std::string kJob = twoVertexJob(1).job_id();

proto::TaskRef refOf(const proto::TaskDeployment& task) {
  proto::TaskRef ref;
  ref.set_vertex_id(task.vertex_id());
  ref.set_subtask(task.subtask());
  ref.set_attempt(task.attempt());
  return ref;
}

/// Two TaskManagers with one slot each and a job of parallelism 2 that runs until it is cancelled.
class JobRecoveryTest : public ::testing::Test {
 protected:
  void start(const proto::JobGraph& graph) {
    cluster_.script.run_ms = -1;
    cluster_.addTaskManager("tm-1", 1);
    cluster_.addTaskManager("tm-2", 1);
    ASSERT_OK(cluster_.submit(graph));
    ASSERT_TRUE(cluster_.runUntilTasks(kJob, proto::RUNNING));
  }

  bool runUntilAttemptRuns(int32_t attempt, int64_t max_ms = 60'000) {
    return cluster_.runUntil(
        [&] {
          const JobView view = cluster_.view(kJob);
          return view.restarts == attempt && view.task_counts[proto::RUNNING] == 4;
        },
        max_ms);
  }

  /// Fails the first task of the attempt that was deployed first.
  void failATask(int32_t attempt, const std::string& message) {
    const auto [worker, task] = cluster_.deploymentsOf(attempt).front();
    worker->fail(refOf(task), message, "map");
  }

  FakeCluster cluster_;
};

TEST_F(JobRecoveryTest, AFailureThatRepeatsDoesNotFloodTheLog) {
  const std::string log = ::testing::TempDir() + "/repeated_failures.log";
  std::remove(log.c_str());
  start(withFixedDelay(twoVertexJob(2), 1'000'000, 0));
  ASSERT_TRUE(initLogging(log, "test"));
  setMinLogSeverity(LogSeverity::kINFO);
  constexpr int kFailures = 300;
  for (int attempt = 0; attempt < kFailures; ++attempt) {
    failATask(attempt, "it broke");
    ASSERT_TRUE(runUntilAttemptRuns(attempt + 1));
  }
  setMinLogSeverity(LogSeverity::kERROR);
  initLogging("", "");
  std::ifstream file(log);
  int lines = 0;
  int told = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    if (line.find("failed and starts again") != std::string::npos) ++told;
  }
  EXPECT_GE(told, 1);
  EXPECT_LT(lines, kFailures / 5);
}

TEST_F(JobRecoveryTest, WithoutRestartsTheFirstFailureIsTheLast) {
  start(twoVertexJob(2));
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  const JobView view = cluster_.view(kJob);
  ASSERT_TRUE(view.failure.has_value());
  EXPECT_EQ(view.failure->line, "it broke (operator 'map', subtask 1/2)");
  EXPECT_EQ(view.failure->flink_text,
            "org.apache.flink.runtime.JobException: Recovery is suppressed by "
            "NoRestartBackoffTimeStrategy\nCaused by: it broke");
  EXPECT_EQ(view.failure->task_name, "Source: numbers (1/2)");
  EXPECT_EQ(view.failure->task_manager_id, "tm-1");
  EXPECT_EQ(view.task_counts[proto::FAILED], 1);
  EXPECT_EQ(view.task_counts[proto::CANCELED], 3);
  EXPECT_EQ(cluster_.resources().freeSlots(), 2);
}

TEST_F(JobRecoveryTest, AFailureThatSuppressesRestartsIsTheLastWhateverTheStrategy) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  const auto [worker, task] = cluster_.deploymentsOf(0).front();
  proto::Failure failure;
  failure.set_message("no such directory");
  failure.set_operator_name("map");
  failure.set_suppress_restarts(true);
  worker->fail(refOf(task), failure);
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  const JobView view = cluster_.view(kJob);
  EXPECT_EQ(view.restarts, 0);
  ASSERT_TRUE(view.failure.has_value());
  EXPECT_EQ(view.failure->line, "no such directory (operator 'map', subtask 1/2)");
  EXPECT_EQ(view.failure->job_exception, "The failure is not recoverable");
}

TEST_F(JobRecoveryTest, AFailureRestartsAllTasksInTheSameWorkers) {
  start(withFixedDelay(twoVertexJob(2), 5, 1'000));
  const std::vector<FakeWorker*> before = cluster_.livingWorkers();
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kRestarting));
  const int64_t failed_ms = cluster_.world.nowMs();
  ASSERT_TRUE(runUntilAttemptRuns(1));
  EXPECT_GE(cluster_.world.nowMs() - failed_ms, 1'000);
  EXPECT_LT(cluster_.world.nowMs() - failed_ms, 1'010);
  EXPECT_EQ(cluster_.livingWorkers(), before);
  EXPECT_EQ(cluster_.deploymentsOf(1).size(), 4u);
}

TEST_F(JobRecoveryTest, WithoutADelayItTakesMilliseconds) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kRestarting));
  EXPECT_TRUE(runUntilAttemptRuns(1, 10));
}

TEST_F(JobRecoveryTest, TheDelayRunsWhileTasksEnd) {
  start(withFixedDelay(twoVertexJob(2), 5, 1'000));
  cluster_.script.cancel_ms = 3'000;
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kRestarting));
  const int64_t failed_ms = cluster_.world.nowMs();
  ASSERT_TRUE(runUntilAttemptRuns(1));
  EXPECT_LT(cluster_.world.nowMs() - failed_ms, 3'020);
}

TEST_F(JobRecoveryTest, FixedDelayGivesUpAfterThatManyRestarts) {
  start(withFixedDelay(twoVertexJob(2), 2, 10));
  for (int32_t attempt = 0; attempt < 2; ++attempt) {
    failATask(attempt, "failure " + std::to_string(attempt));
    ASSERT_TRUE(runUntilAttemptRuns(attempt + 1));
  }
  failATask(2, "the last one");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  const JobView view = cluster_.view(kJob);
  EXPECT_EQ(view.failure->line, "the last one (operator 'map', subtask 1/2)");
  EXPECT_EQ(view.failure->job_exception,
            "Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy("
            "maxNumberRestartAttempts=2, backoffTimeMS=10)");
  ASSERT_EQ(view.exceptions.size(), 3u);
  EXPECT_EQ(view.exceptions[1].root.message, "failure 1");
  EXPECT_EQ(view.exceptions[2].root.message, "failure 0");
  EXPECT_EQ(view.exceptions[2].root.job_exception, "");
}

TEST_F(JobRecoveryTest, ExponentialDelayIsTheDefaultWithCheckpoints) {
  start(withCheckpoints(twoVertexJob(2), 3'600'000, ""));
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kRestarting));
  cluster_.world.runFor(800);
  EXPECT_EQ(cluster_.status(kJob), JobStatus::kRestarting);
  EXPECT_TRUE(runUntilAttemptRuns(1, 400));
}

TEST_F(JobRecoveryTest, ReportsOfAnOldAttemptAreIgnored) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  const auto [worker, old] = cluster_.deploymentsOf(0).back();
  failATask(0, "it broke");
  ASSERT_TRUE(runUntilAttemptRuns(1));
  worker->fail(refOf(old), "too late");
  worker->report(refOf(old), proto::FINISHED);
  cluster_.world.runFor(1'000);
  EXPECT_EQ(cluster_.status(kJob), JobStatus::kRunning);
  EXPECT_EQ(cluster_.view(kJob).restarts, 1);
}

TEST_F(JobRecoveryTest, ReportsAboutATaskOfAnotherWorkerAreIgnored) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  const auto [worker, task] = cluster_.deploymentsOf(0).front();
  FakeWorker* other = cluster_.workerOn(worker->owner().id() == "tm-1" ? "tm-2" : "tm-1");
  other->fail(refOf(task), "not mine");
  cluster_.world.runFor(1'000);
  EXPECT_EQ(cluster_.view(kJob).restarts, 0);
}

TEST_F(JobRecoveryTest, StatesThatNoWorkerMayReportAreIgnored) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  const auto [worker, task] = cluster_.deploymentsOf(0).front();
  for (const int state : {-1, 0, 1, 2, 6, 9, 4'711}) {
    worker->report(refOf(task), static_cast<ExecutionState>(state));
  }
  cluster_.world.runFor(1'000);
  EXPECT_EQ(cluster_.view(kJob).task_counts[proto::RUNNING], 4);
}

TEST_F(JobRecoveryTest, ATaskThatEndsCanceledWithoutBeingAskedHasFailed) {
  start(twoVertexJob(2));
  const auto [worker, task] = cluster_.deploymentsOf(0).front();
  worker->report(refOf(task), proto::CANCELED);
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
}

// ---- Workers that die ----

TEST_F(JobRecoveryTest, ADeadWorkerIsReplacedAndTheHealthyOneStays) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  FakeWorker* dead = cluster_.workerOn("tm-1");
  FakeWorker* healthy = cluster_.workerOn("tm-2");
  cluster_.crash(*dead, "worker process 4711 was killed by signal 9 (SIGKILL)");
  ASSERT_TRUE(runUntilAttemptRuns(1, 20));
  EXPECT_NE(cluster_.workerOn("tm-1"), dead);
  EXPECT_EQ(cluster_.workerOn("tm-2"), healthy);
  const JobView view = cluster_.view(kJob);
  ASSERT_EQ(view.exceptions.size(), 1u);
  EXPECT_EQ(view.exceptions[0].root.line,
            "worker process 4711 was killed by signal 9 (SIGKILL) (TaskManager tm-1)");
  EXPECT_EQ(view.exceptions[0].root.task_name, "Source: numbers (1/2)");
  EXPECT_EQ(view.exceptions[0].root.task_manager_id, "tm-1");
}

TEST_F(JobRecoveryTest, AFailedJobWaitsAMomentForTheReasonOfAWorkersEnd) {
  start(twoVertexJob(2));
  cluster_.crash(*cluster_.workerOn("tm-1"),
                 "worker process 4711 was killed by signal 11 (SIGSEGV)", 300);
  cluster_.world.runFor(250);
  EXPECT_EQ(cluster_.status(kJob), JobStatus::kFailing);
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed, 100));
  EXPECT_THAT(cluster_.view(kJob).failure->line, HasSubstr("signal 11 (SIGSEGV)"));
}

TEST_F(JobRecoveryTest, AWorkerThatOnlyLostItsConnectionIsKilled) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  FakeWorker* cut_off = cluster_.workerOn("tm-1");
  cut_off->breakConnection("cable cut");
  ASSERT_TRUE(runUntilAttemptRuns(1));
  cluster_.world.runFor(2'000);
  EXPECT_FALSE(cut_off->isAlive());
  EXPECT_THAT(cluster_.view(kJob).exceptions[0].root.line,
              HasSubstr("the connection to its worker process was closed: cable cut"));
}

TEST_F(JobRecoveryTest, AWorkerThatStopsBeatingIsReplaced) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  cluster_.world.runFor(20'000);
  ASSERT_EQ(cluster_.view(kJob).restarts, 0);
  FakeWorker* frozen = cluster_.workerOn("tm-1");
  cluster_.script.beats = false;
  ASSERT_TRUE(cluster_.runUntil([&] { return !frozen->isAlive(); }));
  cluster_.script.beats = true;
  ASSERT_TRUE(cluster_.runUntilTasks(kJob, proto::RUNNING));
  EXPECT_THAT(cluster_.view(kJob).exceptions.back().root.line, HasSubstr("no heartbeat"));
}

TEST_F(JobRecoveryTest, ABrokenDataConnectionIsPutDownToTheWorkerThatDied) {
  start(twoVertexJob(2));
  FakeWorker* dead = cluster_.workerOn("tm-1");
  FakeWorker* witness = cluster_.workerOn("tm-2");
  for (const auto& [worker, task] : cluster_.deploymentsOf(0)) {
    if (worker != witness || task.inputs().empty()) continue;
    proto::WorkerToMaster message;
    *message.mutable_task_state()->mutable_task() = refOf(task);
    message.mutable_task_state()->set_state(proto::FAILED);
    message.mutable_task_state()->mutable_failure()->set_message("connection reset by peer");
    message.mutable_task_state()->mutable_failure()->set_operator_name("out");
    message.mutable_task_state()->mutable_failure()->set_lost_worker_id(dead->id());
    witness->send(message);
  }
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailing));
  cluster_.crash(*dead, "worker process 4711 was killed by signal 9 (SIGKILL)");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  EXPECT_THAT(cluster_.view(kJob).failure->line, HasSubstr("worker process 4711 was killed"));
}

TEST_F(JobRecoveryTest, AWorkerThatDiesWhileTasksAreCancelledIsReplaced) {
  start(withFixedDelay(twoVertexJob(2), 1, 0));
  cluster_.script.cancel_ms = 100;
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kRestarting));
  cluster_.world.runFor(50);
  cluster_.crash(*cluster_.workerOn("tm-2"), "killed");
  ASSERT_TRUE(runUntilAttemptRuns(1)) << "it is part of the same failure";
  EXPECT_EQ(cluster_.view(kJob).exceptions.size(), 1u);
  EXPECT_EQ(cluster_.view(kJob).exceptions[0].concurrent.size(), 1u);
}

TEST_F(JobRecoveryTest, AWorkerThatDiesWhileTasksAreDeployedIsAFailure) {
  start(withFixedDelay(twoVertexJob(2), 2, 0));
  cluster_.script.initialize_ms = 100;
  failATask(0, "it broke");
  ASSERT_TRUE(cluster_.runUntil([&] { return cluster_.deploymentsOf(1).size() == 4; }));
  cluster_.crash(*cluster_.workerOn("tm-1"), "killed");
  ASSERT_TRUE(runUntilAttemptRuns(2));
}

TEST_F(JobRecoveryTest, AWorkerThatDiesWhileOthersStartIsAFailure) {
  start(withFixedDelay(twoVertexJob(2), 2, 0));
  cluster_.script.start_ms = 100;
  cluster_.crash(*cluster_.workerOn("tm-1"), "killed");
  cluster_.world.runFor(50);
  ASSERT_EQ(cluster_.status(kJob), JobStatus::kRunning) << "it waits for the new worker";
  cluster_.crash(*cluster_.workerOn("tm-2"), "killed");
  ASSERT_TRUE(runUntilAttemptRuns(2));
}

TEST_F(JobRecoveryTest, AWorkerThatDiesInTheDelayIsReplacedAndNotCounted) {
  start(withFixedDelay(twoVertexJob(2), 1, 1'000));
  failATask(0, "it broke");
  cluster_.world.runFor(500);
  ASSERT_EQ(cluster_.status(kJob), JobStatus::kRestarting);
  cluster_.crash(*cluster_.workerOn("tm-2"), "killed");
  ASSERT_TRUE(runUntilAttemptRuns(1));
}

TEST_F(JobRecoveryTest, AWorkerThatNeverCancelsIsReplaced) {
  FakeClusterOptions options;
  options.settings.dispatcher.jobs.scheduler.cancellation_timeout_ms = 5'000;
  FakeCluster cluster(options);
  cluster.script.run_ms = -1;
  cluster.addTaskManager("tm-1", 2);
  ASSERT_OK(cluster.submit(withFixedDelay(twoVertexJob(2), 1, 0)));
  ASSERT_TRUE(cluster.runUntilTasks(kJob, proto::RUNNING));
  cluster.script.cancel_ms = -1;
  FakeWorker* stubborn = cluster.workerOn("tm-1");
  const auto [worker, task] = cluster.deploymentsOf(0).front();
  worker->fail(refOf(task), "it broke");
  ASSERT_TRUE(cluster.runUntil([&] { return cluster.deploymentsOf(1).size() == 4; }));
  EXPECT_FALSE(stubborn->isAlive());
  EXPECT_NE(cluster.workerOn("tm-1"), nullptr);
}

// ---- TaskManagers that die ----

TEST_F(JobRecoveryTest, ASpareTaskManagerTakesOver) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  cluster_.addTaskManager("spare", 1);
  ASSERT_TRUE(cluster_.runUntil([&] { return cluster_.resources().totalSlots() == 3; }));
  FakeWorker* healthy = cluster_.workerOn("tm-1");
  cluster_.taskManager("tm-2").die("killed");
  ASSERT_TRUE(runUntilAttemptRuns(1, 30));
  EXPECT_EQ(cluster_.workerOn("tm-1"), healthy);
  EXPECT_NE(cluster_.workerOn("spare"), nullptr);
  for (const auto& [worker, task] : cluster_.deploymentsOf(1)) {
    EXPECT_EQ(worker->owner().id(), task.subtask() == 0 ? "tm-1" : "spare");
  }
  EXPECT_THAT(cluster_.view(kJob).exceptions[0].root.line, HasSubstr("tm-2"));
}

TEST_F(JobRecoveryTest, WithoutASpareItWaitsForTheTaskManagerToComeBack) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  cluster_.taskManager("tm-2").die("killed");
  cluster_.world.runFor(5'000);
  EXPECT_EQ(cluster_.view(kJob).waiting, "waiting for 2 slots, 1 there");
  cluster_.addTaskManager("tm-2", 1);
  ASSERT_TRUE(runUntilAttemptRuns(1, 100));
}

TEST_F(JobRecoveryTest, AJobManagerThatEndsEndsTheWorkers) {
  start(withFixedDelay(twoVertexJob(2), 5, 0));
  const std::vector<FakeWorker*> workers = cluster_.livingWorkers();
  cluster_.shutDown();
  cluster_.world.runFor(1'000);
  for (const FakeWorker* worker : workers) EXPECT_FALSE(worker->isAlive());
}

}  // namespace
}  // namespace wiesel::runtime::testing
