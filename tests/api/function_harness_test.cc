#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "wiesel/testing.h"
#include "wiesel/wiesel.h"

namespace samples {

using namespace wiesel;  // NOLINT: as users write it.

struct Reading {
  std::string sensor;
  int64_t value = 0;
};
WIESEL_DESCRIBE(Reading, sensor, value)

/// Counts the readings of a sensor, and says so ten milliseconds after the first one.
class CountReadings : public KeyedProcessFunction<std::string, Reading, std::string> {
 public:
  void open(const OpenContext&) override {
    count_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"count"});
  }
  void processElement(const Reading& reading, Context& context, Collector<std::string>&) override {
    if (reading.value < 0) throw std::invalid_argument("below zero");
    if (++count_.getOrInsert() == 1) {
      context.timerService().registerEventTimeTimer(*context.timestamp() + 10);
    }
  }
  void onTimer(int64_t, OnTimerContext& context, Collector<std::string>& out) override {
    out.collect(context.getCurrentKey() + ":" + std::to_string(count_.value().value_or(0)));
  }

 private:
  ValueState<int64_t> count_;
};

auto countReadings() {
  return keyedHarnessOf<Reading>(
      &Reading::sensor, [](const auto& readings) { return readings.process(CountReadings()); });
}

TEST(FunctionHarness, FiresTimersWithTheWatermarkOfTheTest) {
  auto harness = countReadings();
  harness.processElement({"a", 1}, 100);
  harness.processElement({"a", 2}, 105);
  harness.processWatermark(109);
  EXPECT_TRUE(harness.takeOutput().empty());
  harness.processWatermark(110);
  using Record = TestRecord<std::string>;
  EXPECT_EQ(harness.takeOutput(), (std::vector<Record>{{"a:2", 110}}));
  EXPECT_EQ(harness.takeWatermarks(), (std::vector<int64_t>{109, 110}));
}

TEST(FunctionHarness, GoesOnFromASnapshotAtAnotherParallelism) {
  auto harness = countReadings();
  for (const char* sensor : {"a", "b", "c", "d", "e"}) harness.processElement({sensor, 1}, 100);
  const auto snapshot = harness.snapshot();
  harness.processElement({"a", 1}, 101);
  harness.restore(snapshot, 3);
  harness.processElement({"b", 1}, 102);
  harness.processWatermark(110);
  std::vector<std::string> counts = harness.takeValues();
  std::sort(counts.begin(), counts.end());
  EXPECT_EQ(counts, (std::vector<std::string>{"a:1", "b:2", "c:1", "d:1", "e:1"}));
}

TEST(FunctionHarness, TellsWhatAFunctionThrew) {
  auto harness = countReadings();
  try {
    harness.processElement({"a", -1}, 100);
    FAIL() << "no failure";
  } catch (const std::exception& failure) {
    EXPECT_STREQ(failure.what(), "below zero");
  }
}

TEST(FunctionHarness, RunsAJoinWithTwoInputs) {
  auto harness = harnessOf<Reading, Reading>(
      [](const DataStream<Reading>& left, const DataStream<Reading>& right) {
        return left.join(right)
            .where(&Reading::sensor)
            .equalTo(&Reading::sensor)
            .window(TumblingEventTimeWindows::of(std::chrono::milliseconds(10)))
            .apply([](const Reading& l, const Reading& r) { return l.value * r.value; });
      });
  harness.processElement1({"a", 3}, 1);
  harness.processElement2({"a", 5}, 2);
  harness.processElement2({"b", 7}, 2);
  harness.processWatermark1(9);
  EXPECT_TRUE(harness.takeValues().empty());  // The other side may still bring something.
  harness.processWatermark2(9);
  EXPECT_EQ(harness.takeValues(), std::vector<int64_t>{15});
}

}  // namespace samples
