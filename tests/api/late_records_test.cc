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
  EXPECT_NE(log.find("(numLateRecordsDropped=1, subtask=1/1, attempt=0)"), std::string::npos)
      << "the first at once\n"
      << log;
  EXPECT_NE(log.find("(numLateRecordsDropped=2, subtask=1/1, attempt=0)"), std::string::npos)
      << log;
}

class Count : public ProcessJoinFunction<int64_t, int64_t, int64_t> {
 public:
  void processElement(const int64_t&, const int64_t&, Context&, Collector<int64_t>& out) override {
    out.collect(1);
  }
};

// Both inputs get the late record; at least for the one that comes to it second the other's
// watermark has passed.
TEST(LateRecordsTest, AnIntervalJoinCountsWhatItDrops) {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  const auto records =
      env.fromElements(int64_t{1000}, int64_t{30'000}, int64_t{2000})
          .assignTimestampsAndWatermarks(
              WatermarkStrategy<int64_t>::forGenerator([] {
                return std::make_unique<EventByEvent>();
              }).withTimestampAssigner([](const int64_t& time_ms, int64_t) { return time_ms; }))
          .keyBy([](const int64_t&) { return 0; });
  records.intervalJoin(records)
      .between(std::chrono::seconds(-1), std::chrono::seconds(1))
      .process(Count{})
      .addSink([](int64_t) {});
  ::testing::internal::CaptureStderr();
  env.execute("late");
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("Operator 'Interval Join'"), std::string::npos) << log;
  EXPECT_NE(log.find("numLateRecordsDropped="), std::string::npos) << log;
}

TEST(LateRecordsTest, AJobWithoutLateRecordsSaysNothing) {
  EXPECT_EQ(logOf(1000, 30'000).find("numLateRecordsDropped"), std::string::npos);
}

}  // namespace
}  // namespace wiesel
