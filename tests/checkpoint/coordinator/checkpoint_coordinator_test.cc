#include "checkpoint/coordinator/checkpoint_coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "checkpoint/storage/memory_checkpoint_storage.h"
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

CheckpointSettings settings() {
  CheckpointSettings settings;
  settings.interval_ms = 1000;
  settings.timeout_ms = 5000;
  settings.tolerable_failures = FailurePolicy::kUnlimited;
  return settings;
}

CheckpointSettings with(int64_t CheckpointSettings::*field, int64_t value) {
  CheckpointSettings changed = settings();
  changed.*field = value;
  return changed;
}
CheckpointSettings with(int CheckpointSettings::*field, int value) {
  CheckpointSettings changed = settings();
  changed.*field = value;
  return changed;
}

// ---- When ----

TEST(CheckpointCoordinatorTest, TriggersTheSourcesOneIntervalAfterAllTasksRun) {
  SimulatedJob job(settings());
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
  SimulatedJob job(settings());
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
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  const int64_t began_ms = job.nowMs();
  for (int64_t id = 1; id <= 3; ++id) EXPECT_EQ(job.completeOne(), id);
  const std::vector<int64_t> times = job.timesOf(Kind::kTrigger);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(times[i] - began_ms, 1000 * (i + 1), kSlackMs);
}

TEST(CheckpointCoordinatorTest, WaitsForThePauseAfterACompletion) {
  SimulatedJob job(with(&CheckpointSettings::min_pause_ms, 900));
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
    SimulatedJob job(with(&CheckpointSettings::max_concurrent, max_concurrent));
    ASSERT_OK(job.start());
    job.runTasks();
    job.world().runFor(4500);
    EXPECT_THAT(job.sentOf(Kind::kTrigger), SizeIs(max_concurrent));
    EXPECT_EQ(job.coordinator().counts().in_progress, max_concurrent);
  }
}

TEST(CheckpointCoordinatorTest, StartsTheOneThatWasHeldBackAsSoonAsItMay) {
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.world().runFor(1500);
  job.acknowledgeAll(1);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1, 2));
}

TEST(CheckpointCoordinatorTest, ANewerCompletionSubsumesOlderOnes) {
  SimulatedJob job(with(&CheckpointSettings::max_concurrent, 2));
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
    SimulatedJob listener(settings());
    struct Gateway final : TaskGateway {
      void triggerCheckpoint(const std::vector<ExecutionRef>&, int64_t, int64_t) override {
        ++triggered;
      }
      void notifyComplete(const std::vector<ExecutionRef>&, int64_t) override {}
      void notifyAborted(const std::vector<ExecutionRef>&, int64_t) override {}
      int triggered = 0;
    } gateway;
    struct Listener final : CheckpointListener {
      void failJob(const absl::Status&) override {}
    } nobody;
    const auto process = world.newProcess("jobmanager");
    CheckpointCoordinator coordinator(
        idOf(9), sampleJob(), with(&CheckpointSettings::min_pause_ms, 300),
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
  SimulatedJob job(with(&CheckpointSettings::interval_ms, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.world().runFor(100'000);
  EXPECT_THAT(job.sentOf(Kind::kTrigger), IsEmpty());
  EXPECT_FALSE(job.disk().exists("/ck"));
  EXPECT_TRUE(job.end(JobEnd::kFinished));
}

// ---- Failures ----

TEST(CheckpointCoordinatorTest, ATimeoutNamesTheMissingAndLeavesNothing) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
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

TEST(CheckpointCoordinatorTest, ADeclineAbortsAtOnce) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
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

TEST(CheckpointCoordinatorTest, FailsTheJobAfterMoreInARowThanTolerated) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 1));
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

TEST(CheckpointCoordinatorTest, ADeclineOfATaskThatIsClosingDoesNotCount) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0), 1, "CHECKPOINT_DECLINED_TASK_CLOSING");
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
  EXPECT_EQ(job.completeOne(), 2);
}

TEST(CheckpointCoordinatorTest, ReportsOfStrangersChangeNothing) {
  SimulatedJob job(settings());
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

TEST(CheckpointCoordinatorTest, GoesOnAfterTheDiskWasFull) {
  CheckpointSettings tolerant = with(&CheckpointSettings::tolerable_failures, 2);
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

TEST(CheckpointCoordinatorTest, FailsWhatCannotBeStored) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
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
              AllOf(HasSubstr("IO_EXCEPTION"), HasSubstr("/chk-1/_metadata")));
  EXPECT_FALSE(loadCheckpoint(job.disk(), job.checkpointPath(1)).ok());
}

TEST(CheckpointCoordinatorTest, CleansUpAfterATaskThatWroteTooLate) {
  SimulatedJob job(settings());
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

// ---- Finished tasks ----

TEST(CheckpointCoordinatorTest, GoesOnWithoutTasksThatHaveFinished) {
  SimulatedJob job(settings());
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

TEST(CheckpointCoordinatorTest, GivesUpACheckpointThatWaitsForATaskThatFinished) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().taskFinished(task(1, 0));
  job.world().runFor(100);
  EXPECT_THAT(job.idsOf(Kind::kAborted), ElementsAre(1));
  EXPECT_THAT(job.sentOf(Kind::kAborted)[0].tasks, SizeIs(5));
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
}

TEST(CheckpointCoordinatorTest, TakesTheLastCheckpointAtOnceWhenAllHaveReachedTheEnd) {
  SimulatedJob job(settings());
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

TEST(CheckpointCoordinatorTest, TakesAnotherWhenTheOneUnderWayBeganBeforeTheEnd) {
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.acknowledgeAll(1);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1, 2));
}

TEST(CheckpointCoordinatorTest, TakesNoOtherWhenTheOneUnderWayIsTheLast) {
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  for (const ExecutionRef& one : SimulatedJob::allTasks(0)) job.coordinator().taskReachedEnd(one);
  job.acknowledgeAll(1, 0, true);
  job.world().runFor(3 * kSlackMs);
  EXPECT_THAT(job.idsOf(Kind::kTrigger), ElementsAre(1));
  EXPECT_THAT(job.idsOf(Kind::kComplete), ElementsAre(1));
}

// ---- Restart ----

TEST(CheckpointCoordinatorTest, RestartsFromNothingWithoutACheckpoint) {
  SimulatedJob job(settings());
  ASSERT_OK_AND_ASSIGN(const JobRestore first, job.start());
  EXPECT_EQ(first.checkpoint_id, 0);
  job.runTasks();
  job.coordinator().jobRestarting("test");
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, job.restoreLatest());
  EXPECT_EQ(restore.checkpoint_id, 0);
  EXPECT_EQ(job.coordinator().counts().restored, 0);
}

TEST(CheckpointCoordinatorTest, RestartsFromTheNewestAndGoesOnCounting) {
  SimulatedJob job(settings());
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

TEST(CheckpointCoordinatorTest, ARestartWaitsForTheCheckpointThatIsBeingStored) {
  SimulatedJob job(settings());
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

TEST(CheckpointCoordinatorTest, AFailureOfAnEndedAttemptDoesNotFailTheNext) {
  SimulatedJob job(with(&CheckpointSettings::tolerable_failures, 0));
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.coordinator().decline(task(1, 0), 1, "no");
  job.coordinator().jobRestarting("something else came first");
  job.world().runFor(100);
  EXPECT_THAT(job.sentOf(Kind::kFailJob), IsEmpty());
}

TEST(CheckpointCoordinatorTest, RemembersWhoWasRestoredAsFinished) {
  SimulatedJob job(settings());
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

// ---- Start from a path ----

TEST(CheckpointCoordinatorTest, StartsFromACheckpointOfAnotherJobAndLeavesIt) {
  SimulatedJob first(settings());
  ASSERT_OK(first.start());
  first.runTasks();
  for (int64_t id = 1; id <= 3; ++id) EXPECT_EQ(first.completeOne(), id);

  SimulatedJob second(settings(), first.sharedDisk(), 2, idOf(10));
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

TEST(CheckpointCoordinatorTest, AWrongPathIsRefusedAndLeavesNothing) {
  SimulatedJob job(settings());
  EXPECT_THAT(job.start("/nowhere"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere")));
  EXPECT_FALSE(job.disk().exists("/ck"));
  EXPECT_TRUE(job.end(JobEnd::kFailed));
}

TEST(CheckpointCoordinatorTest, ADamagedCheckpointIsRefusedBeforeAnythingRuns) {
  SimulatedJob first(settings());
  ASSERT_OK(first.start());
  first.runTasks();
  EXPECT_EQ(first.completeOne(), 1);
  ASSERT_OK(first.disk().truncate(first.checkpointPath(1) + "/_metadata", 100));
  SimulatedJob second(settings(), first.sharedDisk(), 2, idOf(10));
  EXPECT_THAT(second.start(first.checkpointPath(1)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("/chk-1/_metadata")));
}

TEST(CheckpointCoordinatorTest, StateWithoutATakerNeedsPermission) {
  SimulatedJob first(settings());
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

  SimulatedJob strict(settings(), first.sharedDisk(), 2, idOf(10));
  EXPECT_THAT(strict.start(first.checkpointPath(2)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("gone-uid"), HasSubstr("--allowNonRestoredState"))));
  SimulatedJob lenient(settings(), first.sharedDisk(), 3, idOf(11));
  EXPECT_OK(lenient.start(first.checkpointPath(2), true));
}

TEST(CheckpointCoordinatorTest, ADirectoryThatCannotBeUsedIsRefused) {
  SimulatedJob job(settings());
  ASSERT_OK(job.disk().writeAtomically("/ck", "a plain file"));
  const auto started = job.start();
  EXPECT_FALSE(started.ok());
  EXPECT_THAT(std::string(started.status().message()), HasSubstr("execution.checkpointing.dir"));
}

// ---- The end ----

struct RetentionRule {
  std::string name;
  Retention retention;
  JobEnd end;
  std::vector<std::string> left;
};

class RetentionOnDiskTest : public ::testing::TestWithParam<RetentionRule> {};

TEST_P(RetentionOnDiskTest, LeavesWhatFlinkLeaves) {
  CheckpointSettings two_retained = with(&CheckpointSettings::num_retained, 2);
  two_retained.retention = GetParam().retention;
  SimulatedJob job(two_retained);
  ASSERT_OK(job.start());
  job.runTasks();
  for (int64_t id = 1; id <= 3; ++id) EXPECT_EQ(job.completeOne(), id);
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 4; }, 2000);
  EXPECT_TRUE(job.end(GetParam().end));
  EXPECT_EQ(job.listJob(), GetParam().left);
}

const std::vector<std::string> kTwoLeft = {"chk-2", "chk-3", "shared", "taskowned"};
const std::vector<std::string> kNoneLeft = {"shared", "taskowned"};

INSTANTIATE_TEST_SUITE_P(
    Flink, RetentionOnDiskTest,
    ::testing::Values(
        RetentionRule{"RetainFinished", Retention::kRetainOnCancellation, JobEnd::kFinished,
                      kNoneLeft},
        RetentionRule{"RetainCanceled", Retention::kRetainOnCancellation, JobEnd::kCanceled,
                      kTwoLeft},
        RetentionRule{"RetainFailed", Retention::kRetainOnCancellation, JobEnd::kFailed, kTwoLeft},
        RetentionRule{"DeleteFinished", Retention::kDeleteOnCancellation, JobEnd::kFinished,
                      kNoneLeft},
        RetentionRule{"DeleteCanceled", Retention::kDeleteOnCancellation, JobEnd::kCanceled,
                      kNoneLeft},
        RetentionRule{"DeleteFailed", Retention::kDeleteOnCancellation, JobEnd::kFailed, kTwoLeft},
        RetentionRule{"NoneFinished", Retention::kNoExternalized, JobEnd::kFinished, kNoneLeft},
        RetentionRule{"NoneCanceled", Retention::kNoExternalized, JobEnd::kCanceled, kNoneLeft},
        RetentionRule{"NoneFailed", Retention::kNoExternalized, JobEnd::kFailed, kNoneLeft}),
    [](const auto& info) { return info.param.name; });

TEST(CheckpointCoordinatorTest, TheEndWaitsForTheCheckpointThatIsBeingStored) {
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.acknowledgeAll(1);
  EXPECT_TRUE(job.end(JobEnd::kFinished));
  EXPECT_THAT(job.listJob(), ElementsAre("shared", "taskowned"));
}

TEST(CheckpointCoordinatorTest, CallsNobodyOnceDestroyed) {
  SimulatedJob job(settings());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.acknowledgeAll(1);
  job.destroyCoordinator();
  job.world().runFor(100'000);
  EXPECT_THAT(job.sentOf(Kind::kComplete), IsEmpty());
  EXPECT_THAT(job.sentOf(Kind::kTrigger), SizeIs(1));
}

}  // namespace
}  // namespace wiesel::checkpoint
