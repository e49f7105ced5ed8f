#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "tests/checkpoint/coordinator/simulated_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Sent::Kind;

struct RetentionRule {
  std::string name;
  Retention retention;
  JobEnd end;
  std::vector<std::string> left;
};

class RetentionOnDiskTest : public ::testing::TestWithParam<RetentionRule> {};

TEST_P(RetentionOnDiskTest, LeavesWhatFlinkLeaves) {
  CheckpointSettings two_retained = everySecondWith(&CheckpointSettings::num_retained, 2);
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

TEST(CheckpointRetentionTest, TheEndWaitsForTheCheckpointThatIsBeingStored) {
  SimulatedJob job(everySecond());
  ASSERT_OK(job.start());
  job.runTasks();
  job.world().runUntil([&] { return job.sentOf(Kind::kTrigger).size() == 1; }, 2000);
  job.acknowledgeAll(1);
  EXPECT_TRUE(job.end(JobEnd::kFinished));
  EXPECT_THAT(job.listJob(), ElementsAre("shared", "taskowned"));
}

TEST(CheckpointRetentionTest, CallsNobodyOnceDestroyed) {
  SimulatedJob job(everySecond());
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
