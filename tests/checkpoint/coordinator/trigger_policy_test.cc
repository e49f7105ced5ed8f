#include "checkpoint/coordinator/trigger_policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::checkpoint {
namespace {

enum class Event { kStart, kStop, kAsk, kCompleted, kWish, kDropWish };

struct Step {
  Event event;
  int64_t now_ms;
  int in_progress = 0;
};

struct Rule {
  std::string name;
  int64_t min_pause_ms;
  int max_concurrent;
  std::vector<Step> steps;
  std::vector<int64_t> begins_ms;  // When a checkpoint begins.
};

constexpr int64_t kIntervalMs = 100;

std::vector<Rule> rules() {
  using enum Event;
  return {
      {"BeginsAtAFixedRate",
       0,
       1,
       {{kStart, 0}, {kAsk, 99}, {kAsk, 100}, {kAsk, 105}, {kAsk, 200}, {kAsk, 300}},
       {100, 200, 300}},
      {"KeepsOneTickThatTheConcurrencyHeldBack",
       0,
       1,
       {{kStart, 0}, {kAsk, 100}, {kAsk, 200, 1}, {kAsk, 300, 1}, {kAsk, 310}, {kAsk, 320}},
       {100, 310}},
      {"AllowsAsManyAsConfigured",
       0,
       2,
       {{kStart, 0}, {kAsk, 100}, {kAsk, 200, 1}, {kAsk, 300, 2}},
       {100, 200}},
      {"WaitsForThePauseAndMovesTheRateThere",
       50,
       1,
       {{kStart, 0},
        {kAsk, 100},
        {kCompleted, 180},
        {kAsk, 200},
        {kAsk, 229},
        {kAsk, 230},
        {kCompleted, 240},
        {kAsk, 329},
        {kAsk, 330}},
       {100, 230, 330}},
      {"NeedsNoPauseBeforeTheFirstCompletion",
       50,
       1,
       {{kStart, 0}, {kAsk, 100}, {kAsk, 200}},
       {100, 200}},
      {"DoesNotCatchUpOnTicksThatNobodyAskedAt",
       0,
       1,
       {{kStart, 0}, {kAsk, 450}, {kAsk, 451}, {kAsk, 500}},
       {450, 500}},
      {"AWishNeedsNeitherTickNorPause",
       50,
       1,
       {{kStart, 0}, {kCompleted, 5}, {kWish, 7}, {kAsk, 7}, {kAsk, 8}},
       {7}},
      {"AWishWaitsForTheConcurrency",
       0,
       1,
       {{kStart, 0}, {kWish, 7}, {kAsk, 7, 1}, {kAsk, 20}},
       {20}},
      {"AWishCanBeDropped", 0, 1, {{kStart, 0}, {kWish, 7}, {kDropWish, 8}, {kAsk, 20}}, {}},
      {"AStoppedPolicyBeginsNothing",
       0,
       1,
       {{kStart, 0}, {kWish, 7}, {kStop, 8}, {kAsk, 100}, {kAsk, 200}},
       {}},
      {"StartsAgainWithANewRate",
       0,
       1,
       {{kStart, 0}, {kAsk, 100}, {kStop, 150}, {kStart, 170}, {kAsk, 200}, {kAsk, 270}},
       {100, 270}},
  };
}

class TriggerPolicyTest : public ::testing::TestWithParam<Rule> {};

TEST_P(TriggerPolicyTest, BeginsCheckpoints) {
  TriggerPolicy policy(kIntervalMs, GetParam().min_pause_ms, GetParam().max_concurrent);
  std::vector<int64_t> begins_ms;
  for (const Step& step : GetParam().steps) {
    switch (step.event) {
      case Event::kStart:
        policy.start(step.now_ms, kIntervalMs);
        break;
      case Event::kStop:
        policy.stop();
        break;
      case Event::kAsk:
        if (policy.shouldBegin(step.now_ms, step.in_progress)) begins_ms.push_back(step.now_ms);
        break;
      case Event::kCompleted:
        policy.onCompleted(step.now_ms);
        break;
      case Event::kWish:
        policy.wish();
        break;
      case Event::kDropWish:
        policy.dropWish();
        break;
    }
  }
  EXPECT_EQ(begins_ms, GetParam().begins_ms);
}

INSTANTIATE_TEST_SUITE_P(Flink, TriggerPolicyTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(TriggerPolicyTest, RaisesTheIntervalToThePause) {
  EXPECT_EQ(TriggerPolicy(100, 250, 1).intervalMs(), 250);
  EXPECT_EQ(TriggerPolicy(100, 99, 1).intervalMs(), 100);
}

}  // namespace
}  // namespace wiesel::checkpoint
