#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "tests/checkpoint/coordinator/simulated_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Sent::Kind;

constexpr int64_t kSlackMs = SimulatedWorld::kMaxExecutorDelayMs;

TEST(CheckpointFailuresTest, ATimeoutNamesTheMissingAndLeavesNothing) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) {
    if (one != task(2, 1)) job.coordinator().acknowledge(one, 1, SimulatedJob::snapshotOf(one));
  }
  job.world().runFor(5000 + kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  ASSERT_THAT(job.sentOf(Kind::kFailJob), SizeIs(1));
  EXPECT_THAT(job.sentOf(Kind::kFailJob)[0].cause,
              AllOf(HasSubstr("checkpoint 1 failed: CHECKPOINT_EXPIRED"),
                    HasSubstr("1 of 6 tasks did not acknowledge: 'window' (2/2)"),
                    HasSubstr("timeout_ms=5000"),
                    HasSubstr("execution.checkpointing.tolerable-failed-checkpoints=0")));
  EXPECT_FALSE(job.disk().exists(job.checkpointPath(1)));
}

TEST(CheckpointFailuresTest, ADeclineAbortsAtOnce) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(3, 0), 1, "CHECKPOINT_ASYNC_EXCEPTION: disk full: /ck");
  job.world().runFor(kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  ASSERT_THAT(job.sentOf(Kind::kFailJob), SizeIs(1));
  EXPECT_THAT(job.sentOf(Kind::kFailJob)[0].cause,
              HasSubstr("CHECKPOINT_ASYNC_EXCEPTION: task 'sink' (1/2) declined: disk full: /ck"));
  EXPECT_EQ(job.coordinator().counts().failed, 1);
}

TEST(CheckpointFailuresTest, FailsTheJobAfterMoreInARowThanTolerated) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 1));
  ASSERT_OK(job.start());
  job.runTasks();
  const auto declineNext = [&] {
    const size_t before = job.sentOf(Kind::kTrigger).size();
    job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() > before; }, 5000);
    job.coordinator().decline(task(1, 0), job.idsOf(Kind::kTrigger).back(), "no");
  };
  declineNext();
  EXPECT_EQ(job.completeOne(), 2);
  declineNext();
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
  declineNext();
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), SizeIs(1));
}

TEST(CheckpointFailuresTest, ADeclineOfATaskThatIsClosingDoesNotCount) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0), 1, "CHECKPOINT_DECLINED_TASK_CLOSING");
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
  EXPECT_EQ(job.completeOne(), 2);
}

struct WrongSnapshot {
  std::string name;
  std::vector<TaskSnapshot::Operator> operators;
  std::string cause;
};

class WrongSnapshotTest : public ::testing::TestWithParam<WrongSnapshot> {};

// It comes in a message: only the checkpoint may come to grief.
TEST_P(WrongSnapshotTest, AbortsTheCheckpointWithItsCause) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  TaskSnapshot snapshot;
  snapshot.operators = GetParam().operators;
  job.coordinator().acknowledge(task(2, 0), 1, snapshot);
  job.acknowledgeAll(1);
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  ASSERT_THAT(job.sentOf(Kind::kFailJob), SizeIs(1));
  EXPECT_THAT(
      job.sentOf(Kind::kFailJob)[0].cause,
      HasSubstr("CHECKPOINT_DECLINED: task 'window' (1/2) declined: it handed in the state of "
                "operator " +
                GetParam().cause));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WrongSnapshotTest,
    ::testing::Values(
        WrongSnapshot{"TwoKeyedHandles",
                      {{idOf(2), {{}, {heapState(0, 31, "a"), heapState(32, 63, "b")}}}},
                      idOf(2).toHex() + ": several handles of a kind"},
        WrongSnapshot{"TwoOperatorHandles",
                      {{idOf(2), {{listState("s", {0}, "a"), listState("s", {0}, "b")}, {}}}},
                      idOf(2).toHex() + ": several handles of a kind"},
        WrongSnapshot{"KeyGroupsOfAnother",
                      {{idOf(2), {{}, {heapState(0, 64, "a")}}}},
                      idOf(2).toHex() + ": key groups 0 to 64, where its own are 0 to 63"},
        WrongSnapshot{"OperatorOfAnother",
                      {{idOf(3), {{listState("s", {0}, "a")}, {}}}},
                      idOf(3).toHex() + ", which the task does not have"},
        WrongSnapshot{"OperatorTwice", {{idOf(2), {}}, {idOf(2), {}}}, idOf(2).toHex() + " twice"}),
    [](const auto& info) { return info.param.name; });

TEST(CheckpointFailuresTest, ReportsOfStrangersChangeNothing) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0, 7), 1, "no");
  job.coordinator().decline(task(1, 0), 8, "no");
  job.coordinator().acknowledge(task(1, 0, 7), 1, {});
  job.acknowledgeAll(8);
  EXPECT_EQ(job.coordinator().counts().in_progress, 1);
  job.acknowledgeAll(1);
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(1));
}

TEST(CheckpointFailuresTest, GoesOnAfterTheDiskWasFull) {
  CheckpointSettings tolerant = everySecondWith(&CheckpointSettings::tolerable_failures, 2);
  SimulatedJob job(tolerant);
  ASSERT_OK(job.start());
  job.runTasks();
  job.files().failAfter(0);
  job.world().runFor(1500);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
  EXPECT_EQ(job.coordinator().counts().failed, 1);
  job.files().repair();
  EXPECT_EQ(job.completeOne(), 2);
  EXPECT_THAT(job.listJob(), ElementsAre("chk-2", "shared", "taskowned"));
}

TEST(CheckpointFailuresTest, FailsWhatCannotBeStored) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.files().failAfter(1);  // _wiesel.json is written, _metadata is not.
  job.acknowledgeAll(1);
  job.world().runFor(50);
  EXPECT_THAT(job.sentOf(Kind::kComplete), IsEmpty());
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  ASSERT_THAT(job.sentOf(Kind::kFailJob), SizeIs(1));
  EXPECT_THAT(job.sentOf(Kind::kFailJob)[0].cause,
              AllOf(HasSubstr("FINALIZE_CHECKPOINT_FAILURE"), HasSubstr("/chk-1/_metadata")));
  EXPECT_FALSE(loadCheckpoint(job.disk(), job.checkpointPath(1)).ok());
}

TEST(CheckpointFailuresTest, CleansUpAfterATaskThatWroteTooLate) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0), 1, "no");
  job.world().runFor(100);
  ASSERT_OK(job.disk().createDirectories(job.checkpointPath(1) + "/left over"));
  job.coordinator().acknowledge(task(2, 0), 1, {});
  job.world().runFor(100);
  EXPECT_FALSE(job.disk().exists(job.checkpointPath(1)));
}

}  // namespace
}  // namespace wiesel::checkpoint
