#include "checkpoint/alignment/barrier_aligner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checkpoint/alignment/alignment_script.h"

namespace wiesel::checkpoint {
namespace {

std::vector<AlignmentRule> rules() {
  using enum AlignmentStep::Event;
  return {
      {"OneChannelTriggersAtOnce", 1, {{kBarrier, 0, 1}}, "block 0, trigger 1, resume 0"},
      {"WaitsForEveryChannel",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 1, 1}},
       "block 0, block 1, trigger 1, resume 0, resume 1"},
      {"AnOldBarrierIsIgnored", 2, {{kBarrier, 0, 2}, {kBarrier, 1, 1}}, "block 0"},
      {"ANewerBarrierEndsTheOlderAlignment",
       2,
       {{kBarrier, 0, 1}, {kBarrier, 1, 2}},
       "block 0, resume 0, abort 1 CHECKPOINT_DECLINED_SUBSUMED, block 1"},
      {"ACancellationEndsItsAlignment",
       2,
       {{kBarrier, 0, 1}, {kCancel, 1, 1}, {kBarrier, 1, 1}},
       "block 0, resume 0, abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"},
      {"ACancellationBeforeTheFirstBarrierCountsOnce",
       2,
       {{kCancel, 0, 1}, {kCancel, 1, 1}, {kBarrier, 1, 1}},
       "abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER"},
      {"AnEndedChannelCountsAsABarrier",
       2,
       {{kBarrier, 0, 1}, {kEnd, 1}, {kBarrier, 0, 2}},
       "block 0, trigger 1, resume 0, block 0, trigger 2, resume 0"},
      {"AnEndedChannelAbortsWhenItMustNotCount",
       2,
       {{kBarrier, 0, 1}, {kEnd, 1}},
       "block 0, resume 0, abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
       false},
      {"AnAbortNoticeResumesWithoutAnAbort",
       2,
       {{kBarrier, 0, 1}, {kAbortNotice, -1, 1}, {kBarrier, 1, 1}, {kBarrier, 1, 2}},
       "block 0, resume 0, block 1"},
      {"AnAbortNoticeBeforeTheBarrierIsKept", 1, {{kAbortNotice, -1, 1}, {kBarrier, 0, 1}}, ""},
      {"AnAbortNoticeOfAnotherCheckpointChangesNothing",
       2,
       {{kBarrier, 0, 2}, {kAbortNotice, -1, 1}, {kBarrier, 1, 2}},
       "block 0, block 1, trigger 2, resume 0, resume 1"},
  };
}

class BarrierAlignerTest : public ::testing::TestWithParam<AlignmentRule> {};

TEST_P(BarrierAlignerTest, DecidesAsFlinkDoes) {
  BarrierAligner aligner(GetParam().num_channels, GetParam().after_tasks_finish);
  EXPECT_EQ(play(GetParam().steps, aligner), GetParam().actions);
}

INSTANTIATE_TEST_SUITE_P(Flink, BarrierAlignerTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::checkpoint
