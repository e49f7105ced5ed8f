#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "wiesel/wiesel.h"

namespace wiesel {
namespace {

/// Each event moves the event time.
class EventByEvent final : public WatermarkGenerator<int64_t> {
 public:
  void onEvent(const int64_t&, int64_t timestamp_ms, WatermarkOutput& output) override {
    output.emitWatermark(timestamp_ms);
  }
  void onPeriodicEmit(WatermarkOutput&) override {}
};

/// Runs a job with windows of 10 s over records that are their own timestamps; returns its log.
template <class... Times>
std::string logOf(Times... times_ms) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.fromElements(int64_t{times_ms}...)
      .assignTimestampsAndWatermarks(
          WatermarkStrategy<int64_t>::forGenerator([] {
            return std::make_unique<EventByEvent>();
          }).withTimestampAssigner([](const int64_t& time_ms, int64_t) { return time_ms; }))
      .keyBy([](const int64_t&) { return 0; })
      .window(TumblingEventTimeWindows::of(std::chrono::seconds(10)))
      .reduce([](int64_t left, int64_t right) { return left + right; })
      .addSink([](int64_t) {});
  ::testing::internal::CaptureStderr();
  env.execute("late");
  return ::testing::internal::GetCapturedStderr();
}

TEST(LateRecordsTest, AJobSaysHowManyRecordsItDropped) {
  const std::string log = logOf(1000, 30'000, 2000, 31'000, 29'000);
  EXPECT_NE(log.find("Operator 'Window(TumblingEventTimeWindows(10000), EventTimeTrigger, "
                     "ReduceFunction)'"),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("(numLateRecordsDropped=2, subtask=1/1, attempt=0)"), std::string::npos)
      << log;
}

TEST(LateRecordsTest, AJobWithoutLateRecordsSaysNothing) {
  EXPECT_EQ(logOf(1000, 30'000).find("numLateRecordsDropped"), std::string::npos);
}

}  // namespace
}  // namespace wiesel
