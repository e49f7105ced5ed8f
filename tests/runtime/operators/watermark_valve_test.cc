#include "runtime/time/watermark_valve.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::runtime {
namespace {

enum class Event { kWatermark, kIdle, kActive };
struct Step {
  Event event;
  int channel;
  int64_t watermark_ms = 0;
};
struct Rule {
  std::string name;
  int num_channels;
  std::vector<Step> steps;
  std::vector<int64_t> clock_ms;  // Every value the clock takes, in order.
};

std::vector<Rule> rules() {
  using enum Event;
  return {
      {"WaitsForEveryChannel", 2, {{kWatermark, 0, 10}, {kWatermark, 1, 7}}, {7}},
      {"IgnoresALowerWatermark", 1, {{kWatermark, 0, 10}, {kWatermark, 0, 9}}, {10}},
      {"DoesNotWaitForAnIdleChannel", 2, {{kWatermark, 0, 10}, {kIdle, 1}}, {10}},
      {"LastIdleChannelReleasesTheHighest",
       2,
       {{kWatermark, 0, 10}, {kWatermark, 1, 7}, {kIdle, 0}, {kIdle, 1}},
       {7, 10}},
      {"AChannelThatSleptDoesNotHoldBackBeforeItHasCaughtUp",
       2,
       {{kIdle, 1}, {kWatermark, 0, 10}, {kActive, 1}, {kWatermark, 1, 5}, {kWatermark, 0, 20}},
       {10, 20}},
      {"AChannelThatHasCaughtUpIsWaitedForAgain",
       2,
       {{kIdle, 1}, {kWatermark, 0, 10}, {kActive, 1}, {kWatermark, 1, 12}, {kWatermark, 0, 20}},
       {10, 12}},
      {"AnIdleChannelsWatermarkIsIgnored",
       2,
       {{kIdle, 1}, {kWatermark, 1, 50}, {kWatermark, 0, 3}},
       {3}},
      {"IdlenessAndActivityAreIdempotent",
       2,
       {{kIdle, 1}, {kIdle, 1}, {kActive, 1}, {kActive, 1}, {kWatermark, 0, 4}, {kWatermark, 1, 3}},
       {3}},
  };
}

std::vector<int64_t> play(const std::vector<Step>& steps, WatermarkValve& valve) {
  std::vector<int64_t> clock_ms;
  for (const Step& step : steps) {
    std::optional<int64_t> moved;
    if (step.event == Event::kWatermark) moved = valve.onWatermark(step.channel, step.watermark_ms);
    if (step.event == Event::kIdle) moved = valve.onIdle(step.channel);
    if (step.event == Event::kActive) valve.onActive(step.channel);
    if (moved) clock_ms.push_back(*moved);
  }
  return clock_ms;
}

class WatermarkValveTest : public ::testing::TestWithParam<Rule> {};

TEST_P(WatermarkValveTest, MovesTheClockAsFlinkDoes) {
  WatermarkValve valve(GetParam().num_channels);
  EXPECT_EQ(play(GetParam().steps, valve), GetParam().clock_ms);
}

INSTANTIATE_TEST_SUITE_P(Flink, WatermarkValveTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::runtime
