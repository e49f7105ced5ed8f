#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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
using testing::StatusIs;
using Kind = Sent::Kind;

constexpr int64_t kSlackMs = SimulatedWorld::kMaxExecutorDelayMs;

TEST(CheckpointRestartTest, RestartsFromNothingWithoutACheckpoint) {
  SimulatedJob job(everySecond());
  ASSERT_OK_AND_ASSIGN(const JobRestore first, job.start());
  EXPECT_EQ(first.checkpoint_id, 0);
  job.runTasks();
  job.coordinator().jobRestarting("test");
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, job.restoreLatest());
  EXPECT_EQ(restore.checkpoint_id, 0);
  EXPECT_EQ(job.coordinator().counts().restored, 0);
}

TEST(CheckpointRestartTest, RestartsFromTheNewestAndGoesOnCounting) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  EXPECT_EQ(job.completeOne(), 1);
  EXPECT_EQ(job.completeOne(), 2);
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 3; }, 2000);
  job.coordinator().jobRestarting("a task failed");
  EXPECT_EQ(job.coordinator().counts().in_progress, 0);
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, job.restoreLatest());
  EXPECT_EQ(restore.checkpoint_id, 2);
  EXPECT_EQ(restore.directory, job.checkpointPath(2));
  EXPECT_EQ(restore.tasks[1][1].operators[0].state.operator_state[0].stream.bytes, "1");
  job.acknowledgeAll(3);  // The old attempt, late.
  job.runTasks(0);
  job.world().runFor(5000);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), SizeIs(3));
  job.runTasks(1);
  EXPECT_EQ(job.completeOne(1), 4);
  job.world().runFor(2 * kSlackMs);  // The older one is being deleted.
  EXPECT_THAT(job.listJob(), ElementsAre("chk-4", "shared", "taskowned"));
  EXPECT_THAT(job.sentOf(Kind::kAborted), IsEmpty());  // Its tasks were being cancelled.
}

TEST(CheckpointRestartTest, ARestartWaitsForTheCheckpointThatIsBeingStored) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.acknowledgeAll(1);
  job.coordinator().jobRestarting("a task failed");
  EXPECT_EQ(job.coordinator().counts().in_progress, 1);
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, job.restoreLatest());
  EXPECT_EQ(restore.checkpoint_id, 1);
  EXPECT_THAT(job.sentOf(Kind::kComplete), IsEmpty());  // Nobody is left who could be told.
}

TEST(CheckpointRestartTest, AFailureOfAnEndedAttemptDoesNotFailTheNext) {
  SimulatedJob job(everySecondWith(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0), 1, "no");
  job.coordinator().jobRestarting("something else came first");
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
}

TEST(CheckpointRestartTest, RemembersWhoWasRestoredAsFinished) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.coordinator().taskFinished(task(1, 0));
  job.coordinator().taskFinished(task(1, 1));
  EXPECT_EQ(job.completeOne(), 1);
  job.coordinator().jobRestarting("a task failed");
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, job.restoreLatest());
  EXPECT_TRUE(restore.tasks[0][0].finished);
  EXPECT_FALSE(restore.tasks[1][0].finished);
  job.runTasks(1);
  EXPECT_EQ(job.completeOne(1), 2);
  ASSERT_OK_AND_ASSIGN(const StoredCheckpoint stored,
                       loadCheckpoint(job.disk(), job.checkpointPath(2)));
  EXPECT_TRUE(stored.metadata.operators[0].fully_finished);
}

TEST(CheckpointRestartTest, StartsFromACheckpointOfAnotherJobAndLeavesIt) {
  SimulatedJob first(everySecond());
  ASSERT_OK(first.start());
  first.runTasks();
  for (int64_t id = 1; id <= 3; ++id) EXPECT_EQ(first.completeOne(), id);

  SimulatedJob second(everySecond(), first.sharedDisk(), 2, idOf(10));
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, second.start("file:" + first.checkpointPath(3)));
  EXPECT_EQ(restore.checkpoint_id, 3);
  EXPECT_EQ(restore.directory, first.checkpointPath(3));
  second.runTasks();
  second.coordinator().jobRestarting("before the first own checkpoint");
  ASSERT_OK_AND_ASSIGN(const JobRestore again, second.restoreLatest());
  EXPECT_EQ(again.checkpoint_id, 3);
  second.runTasks(1);
  EXPECT_EQ(second.completeOne(1), 4);
  EXPECT_EQ(second.completeOne(1), 5);
  EXPECT_TRUE(second.end(JobEnd::kFinished));
  EXPECT_THAT(second.listJob(), ElementsAre("shared", "taskowned"));
  EXPECT_OK(loadCheckpoint(first.disk(), first.checkpointPath(3)));
}

TEST(CheckpointRestartTest, AWrongPathIsRefusedAndLeavesNothing) {
  SimulatedJob job(everySecond());
  EXPECT_THAT(job.start("/nowhere"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere")));
  EXPECT_FALSE(job.disk().exists("/ck"));
  EXPECT_TRUE(job.end(JobEnd::kFailed));
}

TEST(CheckpointRestartTest, ADamagedCheckpointIsRefusedBeforeAnythingRuns) {
  SimulatedJob first(everySecond());
  ASSERT_OK(first.start());
  first.runTasks();
  EXPECT_EQ(first.completeOne(), 1);
  ASSERT_OK(first.disk().truncate(first.checkpointPath(1) + "/_metadata", 100));
  SimulatedJob second(everySecond(), first.sharedDisk(), 2, idOf(10));
  EXPECT_THAT(second.start(first.checkpointPath(1)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("/chk-1/_metadata")));
}

TEST(CheckpointRestartTest, StateWithoutATakerNeedsPermission) {
  SimulatedJob first(everySecond());
  ASSERT_OK(first.start());
  first.runTasks();
  EXPECT_EQ(first.completeOne(), 1);
  ASSERT_OK_AND_ASSIGN(StoredCheckpoint stored,
                       loadCheckpoint(first.disk(), first.checkpointPath(1)));
  OperatorSnapshot gone = stored.metadata.operators[0];
  gone.id = idOf(77);
  stored.metadata.operators.push_back(gone);
  stored.metadata.checkpoint_id = 2;
  FileCheckpointStorage storage(first.disk(), "/ck", idOf(9));
  ASSERT_OK(storage.begin(2));
  ASSERT_OK(storage.complete(stored.metadata, {{idOf(77), {"gone-uid", "gone"}}}));

  SimulatedJob strict(everySecond(), first.sharedDisk(), 2, idOf(10));
  EXPECT_THAT(strict.start(first.checkpointPath(2)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("gone-uid"), HasSubstr("--allowNonRestoredState"))));
  SimulatedJob lenient(everySecond(), first.sharedDisk(), 3, idOf(11));
  EXPECT_OK(lenient.start(first.checkpointPath(2), true));
}

TEST(CheckpointRestartTest, ADirectoryThatCannotBeUsedIsRefused) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.disk().writeAtomically("/ck", "a plain file"));
  const auto started = job.start();
  EXPECT_FALSE(started.ok());
  EXPECT_THAT(std::string(started.status().message()), HasSubstr("execution.checkpointing.dir"));
}

}  // namespace
}  // namespace wiesel::checkpoint
