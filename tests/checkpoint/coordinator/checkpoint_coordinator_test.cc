#include "checkpoint/coordinator/checkpoint_coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "checkpoint/storage/memory_checkpoint_storage.h"
#include "tests/checkpoint/coordinator/simulated_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Sent::Kind;

constexpr int64_t kSlackMs = SimulatedWorld::kMaxExecutorDelayMs;

TEST(CheckpointCoordinatorTest, TriggersTheSourcesOneIntervalAfterAllTasksRun) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  const auto tasks = SimulatedJob::allTasks(0);
  for (size_t i = 0; i + 1 < tasks.size(); ++i) job.coordinator().taskRunning(tasks[i]);
  job.world().runFor(10'000);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
  const int64_t all_run_ms = job.nowMs();
  job.coordinator().taskRunning(tasks.back());
  job.world().runFor(999);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
  job.world().runFor(1 + kSlackMs);
  ASSERT_THAT(job.sentOf(Kind::kTrigger), SizeIs(1));
  const Sent trigger = job.sentOf(Kind::kTrigger)[0];
  EXPECT_EQ(trigger.checkpoint_id, 1);
  EXPECT_THAT(trigger.tasks, ElementsAre(task(1, 0), task(1, 1)));
  EXPECT_GE(trigger.at_ms, all_run_ms + 1000);
}

TEST(CheckpointCoordinatorTest, CompletesWhenAllHaveAcknowledgedAndTellsAllTasks) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  EXPECT_EQ(job.completeOne(), 1);
  const Sent complete = job.sentOf(Kind::kComplete)[0];
  EXPECT_THAT(complete.tasks, SizeIs(6));
  EXPECT_TRUE(job.everythingNotifiedWasOnDisk());
  ASSERT_NE(job.coordinator().latestCompleted(), nullptr);
  EXPECT_EQ(job.coordinator().latestCompleted()->directory, job.checkpointPath(1));
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored,
                       loadCheckpoint(job.disk(), job.checkpointPath(1)));
  EXPECT_EQ(stored.names.at(idOf(2)), (OperatorName{"uid-window", "window"}));
  EXPECT_EQ(stored.metadata.operators[1].subtasks.size(), 2);
}

TEST(CheckpointCoordinatorTest, KeepsTheRate) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  const int64_t began_ms = job.nowMs();
  for (int64_t id = 1; id <= 3; ++id) EXPECT_EQ(job.completeOne(), id);
  const std::vector<int64_t> times = job.timesOf(Kind::kTrigger);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(times[i] - began_ms, 1000 * (i + 1), kSlackMs);
}

TEST(CheckpointCoordinatorTest, WaitsForThePauseAfterACompletion) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::min_pause_ms, 900));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.world().runFor(400);
  job.acknowledgeAll(1);
  EXPECT_EQ(job.completeOne(), 2);
  const int64_t pause_ms = job.timesOf(Kind::kTrigger)[1] - job.timesOf(Kind::kComplete)[0];
  EXPECT_GE(pause_ms, 900);
  EXPECT_LE(pause_ms, 900 + kSlackMs);
}

TEST(CheckpointCoordinatorTest, HasNoMoreUnderWayThanAllowed) {
  for (const int max_concurrent : {1, 2, 3}) {
    SimulatedJob job(everySecondWith(&CheckpointSettings::max_concurrent, max_concurrent));
    ASSERT_OK(job.start());
    job.runTasks();
    job.world().runFor(4500);
    EXPECT_THAT(job.sentOf(Kind::kTrigger), SizeIs(max_concurrent));
    EXPECT_EQ(job.coordinator().counts().in_progress, max_concurrent);
  }
}

TEST(CheckpointCoordinatorTest, StartsTheOneThatWasHeldBackAsSoonAsItMay) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.world().runFor(1500);
  job.acknowledgeAll(1);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1, 2));
}

TEST(CheckpointCoordinatorTest, ANewerCompletionSubsumesOlderOnes) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::max_concurrent, 2));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 2; }, 3000);
  job.acknowledgeAll(2);
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(2));
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  job.acknowledgeAll(1);
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(2));
  EXPECT_THAT(job.listJob(), ElementsAre("chk-2", "shared", "taskowned"));
}

TEST(CheckpointCoordinatorTest, DrawsTheFirstDelayBetweenPauseAndInterval) {
  int64_t lowest_ms = 10'000;
  int64_t highest_ms = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SimulatedWorld world(seed);
    InMemoryFileSystem files;
    SeededRandom random(seed);
    SimulatedJob listener(everySecond());
    struct Gateway final : TaskGateway {
      void triggerCheckpoint(const std::vector<ExecutionRef>&, int64_t, int64_t) override {
        ++triggered;
      }
      void notifyComplete(const std::vector<ExecutionRef>&, int64_t) override {}
      void notifyAborted(const std::vector<ExecutionRef>&, int64_t) override {}
      int triggered = 0;
    } gateway;
    struct Listener final : CoordinatorListener {
      void failJob(const absl::Status&) override {}
    } nobody;
    const auto process = world.newProcess("jobmanager");
    CheckpointCoordinator coordinator(
        idOf(9), sampleJob(), everySecondWith(&CheckpointSettings::min_pause_ms, 300),
        {world.newEventLoop(process), world.clock(), world.newExecutor(process), gateway, nobody,
         std::make_shared<MemoryCheckpointStorage>(files), &random});
    for (const ExecutionRef& one : SimulatedJob::allTasks(0)) coordinator.taskRunning(one);
    const int64_t began_ms = world.nowMs();
    ASSERT_TRUE(world.runUntil([&] { return gateway.triggered == 1; }, 2000));
    lowest_ms = std::min(lowest_ms, world.nowMs() - began_ms);
    highest_ms = std::max(highest_ms, world.nowMs() - began_ms);
  }
  EXPECT_GE(lowest_ms, 300);
  EXPECT_LT(lowest_ms, 400);
  EXPECT_GT(highest_ms, 900);
  EXPECT_LE(highest_ms, 1000 + kSlackMs);
}

TEST(CheckpointCoordinatorTest, TakesNoneWhenCheckpointsAreOff) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::interval_ms, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.world().runFor(100'000);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
  EXPECT_FALSE(job.disk().exists("/ck"));
  EXPECT_TRUE(job.end(JobEnd::kFinished));
}

}  // namespace
}  // namespace wiesel::checkpoint
