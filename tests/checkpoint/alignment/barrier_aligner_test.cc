#include "checkpoint/alignment/barrier_aligner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/checkpoint/alignment/barrier_replay.h"
#include "tests/conformance/data_directory.h"

namespace wiesel::checkpoint {
namespace {

enum class Event { kBarrier, kCancel, kEnd, kAbortNotice };

struct Step {
  Event event;
  int channel;
  int64_t checkpoint_id = 0;
};

struct Rule {
  std::string name;
  int num_channels;
  std::vector<Step> steps;
  std::string actions;  // Of all steps: "block 0", "resume 0", "trigger 1", "abort 1 REASON".
  bool after_tasks_finish = true;
};

std::vector<Rule> rules() {
  using enum Event;
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

std::string describe(const AlignmentAction& action) {
  switch (action.kind) {
    case AlignmentAction::Kind::kBlock:
      return "block " + std::to_string(action.channel);
    case AlignmentAction::Kind::kResume:
      return "resume " + std::to_string(action.channel);
    case AlignmentAction::Kind::kTrigger:
      return "trigger " + std::to_string(action.checkpoint_id);
    case AlignmentAction::Kind::kAbort:
      return "abort " + std::to_string(action.checkpoint_id) + " " + std::string(action.reason);
  }
  return "";
}

std::vector<AlignmentAction> play(const Step& step, BarrierAligner& aligner) {
  switch (step.event) {
    case Event::kBarrier:
      return aligner.onBarrier(step.channel, step.checkpoint_id);
    case Event::kCancel:
      return aligner.onCancellation(step.channel, step.checkpoint_id);
    case Event::kEnd:
      return aligner.onEndOfPartition(step.channel);
    case Event::kAbortNotice:
      return aligner.onAbortNotification(step.checkpoint_id);
  }
  return {};
}

class BarrierAlignerTest : public ::testing::TestWithParam<Rule> {};

TEST_P(BarrierAlignerTest, DecidesAsFlinkDoes) {
  BarrierAligner aligner(GetParam().num_channels, GetParam().after_tasks_finish);
  std::string actions;
  for (const Step& step : GetParam().steps) {
    for (const AlignmentAction& action : play(step, aligner)) {
      actions += (actions.empty() ? "" : ", ") + describe(action);
    }
  }
  EXPECT_EQ(actions, GetParam().actions);
}

INSTANTIATE_TEST_SUITE_P(Flink, BarrierAlignerTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(BarrierAlignerRecordingsTest, ReplaysEveryAlignedScenario) {
  std::ifstream file(conformance::dataDirectory("operators") + "/barriers.jsonl");
  int replayed = 0;
  for (std::string line; std::getline(file, line);) {
    const auto scenario = nlohmann::json::parse(line);
    if (scenario.at("operator").at("mode") != "exactlyOnce") continue;
    const auto difference = replayBarriers(scenario);
    EXPECT_FALSE(difference) << scenario.at("id") << " " << difference.value_or("");
    ++replayed;
  }
  EXPECT_GT(replayed, 50);
}

}  // namespace
}  // namespace wiesel::checkpoint
