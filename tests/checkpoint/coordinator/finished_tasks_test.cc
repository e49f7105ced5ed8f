#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "tests/checkpoint/coordinator/simulated_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Sent::Kind;

constexpr int64_t kSlackMs = SimulatedWorld::kMaxExecutorDelayMs;

TEST(FinishedTasksTest, GoesOnWithoutTasksThatHaveFinished) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.coordinator().taskFinished(task(1, 0));
  job.world().runFor(1000 + kSlackMs);
  ASSERT_THAT(job.sentOf(Kind::kTrigger), SizeIs(1));
  EXPECT_THAT(job.sentOf(Kind::kTrigger)[0].tasks, ElementsAre(task(1, 1)));
  job.acknowledgeAll(1);
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kComplete)[0].tasks, SizeIs(5));
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored,
                       loadCheckpoint(job.disk(), job.checkpointPath(1)));
  EXPECT_TRUE(stored.metadata.operators[0].subtasks.at(0).finished);
}

TEST(FinishedTasksTest, GivesUpACheckpointThatWaitsForATaskThatFinished) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().taskFinished(task(1, 0));
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  EXPECT_THAT(job.sentOf(Kind::kAborted)[0].tasks, SizeIs(5));
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
}

TEST(FinishedTasksTest, TakesTheLastCheckpointAtOnceWhenAllHaveReachedTheEnd) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runFor(100);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) {
    EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
    job.coordinator().taskReachedEnd(one);
  }
  job.world().runFor(kSlackMs);
  ASSERT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1));
  job.acknowledgeAll(1, 0, true);
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(1));
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskFinished(one);
  job.world().runFor(10'000);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1));
  EXPECT_TRUE(job.end(JobEnd::kFinished));
}

TEST(FinishedTasksTest, TakesAnotherWhenTheOneUnderWayBeganBeforeTheEnd) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.acknowledgeAll(1);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1, 2));
}

TEST(FinishedTasksTest, TakesNoOtherWhenTheOneUnderWayIsTheLast) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.acknowledgeAll(1, 0, true);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1));
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(1));
}

}  // namespace
}  // namespace wiesel::checkpoint
