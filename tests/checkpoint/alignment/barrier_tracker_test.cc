#include "checkpoint/alignment/barrier_tracker.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checkpoint/alignment/alignment_script.h"

namespace wiesel::checkpoint {
namespace {

std::vector<AlignmentRule> rules() {
  using enum AlignmentStep::Event;
  return {
      {"BlocksNothing", 2, {{kBarrier, 0, 1}, {kBarrier, 1, 1}}, "trigger 1"},
      {"OneChannelTriggersAtOnce", 1, {{kBarrier, 0, 1}, {kBarrier, 0, 2}}, "trigger 1, trigger 2"},
      {"SeveralCheckpointsAreUnderWay",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 0, 2}, {kBarrier, 1, 1}, {kBarrier, 1, 2}},
       "trigger 1, trigger 2"},
      {"ACompleteOneDropsTheOlderSilently",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 0, 2}, {kBarrier, 1, 2}, {kBarrier, 1, 1}},
       "trigger 2"},
      {"ACancellationAbortsTheOlderFirst",
       3,
       {{kBarrier, 0, 1}, {kBarrier, 1, 2}, {kCancel, 2, 3}, {kCancel, 0, 3}},
       "abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, "
       "abort 2 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, "
       "abort 3 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"},
      {"BarriersBehindACancellationAreIgnored",
       2,
       {{kCancel, 0, 1}, {kBarrier, 1, 1}, {kBarrier, 0, 2}, {kBarrier, 1, 2}},
       "abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, trigger 2"},
      {"AnEndedChannelCountsAsABarrier",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 0, 2}, {kEnd, 1}, {kBarrier, 0, 3}},
       "trigger 2, trigger 3"},
      {"AnEndedChannelAbortsWhenItMustNotCount",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 0, 2}, {kEnd, 1}},
       "abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM, "
       "abort 2 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
       false},
      {"AnAbortNoticeForgetsItsCheckpointOnly",
       2,
       {{kBarrier, 0, 1},
        {kBarrier, 0, 2},
        {kAbortNotice, -1, 2},
        {kBarrier, 1, 1},
        {kBarrier, 1, 2}},
       "trigger 1"},
      {"AnAbortNoticeBeforeTheFirstBarrierIsKept",
       2,
       {{kAbortNotice, -1, 2},
        {kBarrier, 0, 1},
        {kBarrier, 1, 1},
        {kBarrier, 0, 2},
        {kBarrier, 1, 2}},
       "trigger 1"},
      {"AnAbortNoticeIsKeptForOneChannelToo",
       1,
       {{kAbortNotice, -1, 1}, {kBarrier, 0, 1}, {kBarrier, 0, 2}},
       "trigger 2"},
      {"AnAbortNoticeComesTooLate",
       1,
       {{kBarrier, 0, 1}, {kAbortNotice, -1, 1}, {kBarrier, 0, 2}},
       "trigger 1, trigger 2"},
  };
}

class BarrierTrackerTest : public ::testing::TestWithParam<AlignmentRule> {};

TEST_P(BarrierTrackerTest, DecidesAsFlinkDoes) {
  BarrierTracker tracker(GetParam().num_channels, GetParam().after_tasks_finish);
  EXPECT_EQ(play(GetParam().steps, tracker), GetParam().actions);
}

INSTANTIATE_TEST_SUITE_P(Flink, BarrierTrackerTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(BarrierTrackerBoundTest, TheOldestOfTooManyIsForgotten) {
  BarrierTracker tracker(2);
  const int64_t newest = BarrierTracker::kMaxTracked + 1;
  for (int64_t id = 1; id <= newest; ++id) EXPECT_TRUE(tracker.onBarrier(0, id).empty());
  EXPECT_TRUE(tracker.onBarrier(1, 1).empty());
  EXPECT_EQ(tracker.onBarrier(1, 2).size(), 1u);
}

}  // namespace
}  // namespace wiesel::checkpoint
