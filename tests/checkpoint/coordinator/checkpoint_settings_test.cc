#include "checkpoint/coordinator/checkpoint_settings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::checkpoint {
namespace {

struct Rule {
  std::string retention;
  bool kept_when_finished;
  bool kept_when_canceled;
  bool kept_when_failed;
};

class RetentionTest : public ::testing::TestWithParam<Rule> {};

TEST_P(RetentionTest, KeepsCheckpointsAsFlinkDoes) {
  const auto retention = retentionFromName(GetParam().retention);
  ASSERT_TRUE(retention);
  EXPECT_EQ(keepsCheckpoints(*retention, JobEnd::kFinished), GetParam().kept_when_finished);
  EXPECT_EQ(keepsCheckpoints(*retention, JobEnd::kCanceled), GetParam().kept_when_canceled);
  EXPECT_EQ(keepsCheckpoints(*retention, JobEnd::kFailed), GetParam().kept_when_failed);
}

INSTANTIATE_TEST_SUITE_P(Flink, RetentionTest,
                         ::testing::Values(Rule{"RETAIN_ON_CANCELLATION", false, true, true},
                                           Rule{"DELETE_ON_CANCELLATION", false, false, true},
                                           Rule{"NO_EXTERNALIZED_CHECKPOINTS", false, false,
                                                false}),
                         [](const auto& info) {
                           std::string name = info.param.retention;
                           name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
                           return name;
                         });

TEST(RetentionTest, DoesNotKnowOtherNames) { EXPECT_FALSE(retentionFromName("KEEP")); }

}  // namespace
}  // namespace wiesel::checkpoint
