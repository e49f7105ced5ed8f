#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
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

/// What a sensor's name means.
struct Label {
  std::string sensor;
  std::string text;
};
WIESEL_DESCRIBE(Label, sensor, text)

/// Keeps the last label of a sensor for its readings.
class LabelReadings : public KeyedCoProcessFunction<std::string, Label, Reading, std::string> {
 public:
  void open(const OpenContext&) override {
    label_ = getRuntimeContext().getState(ValueStateDescriptor<std::string>{"label"});
  }
  void processElement1(const Label& label, Context&, Collector<std::string>&) override {
    label_.update(label.text);
  }
  void processElement2(const Reading& reading, Context&, Collector<std::string>& out) override {
    out.collect(label_.value().value_or("?") + "=" + std::to_string(reading.value));
  }

 private:
  ValueState<std::string> label_;
};

auto labelReadings() {
  return keyedHarnessOf<Label, Reading>(&Label::sensor, &Reading::sensor,
                                        [](const auto& labels, const auto& readings) {
                                          return labels.connect(readings).process(LabelReadings());
                                        });
}

TEST(FunctionHarness, RestoresTwoKeyedInputsAtAnotherParallelism) {
  auto harness = labelReadings();
  const std::vector<std::string> sensors = {"a", "b", "c", "d", "e"};
  for (const std::string& sensor : sensors) harness.processElement1({sensor, sensor + sensor});
  harness.restore(harness.snapshot(), 3);
  for (const std::string& sensor : sensors) harness.processElement2({sensor, 1});
  EXPECT_EQ(harness.takeValues(),
            (std::vector<std::string>{"aa=1", "bb=1", "cc=1", "dd=1", "ee=1"}));
}

TEST(FunctionHarness, AnIdleInputHoldsNoWatermarkBack) {
  auto harness = labelReadings();
  harness.processWatermark1(10);
  EXPECT_EQ(harness.takeWatermarks(), std::vector<int64_t>{});
  harness.processWatermarkStatus2(true);
  EXPECT_EQ(harness.takeWatermarks(), std::vector<int64_t>{10});
  EXPECT_EQ(harness.takeWatermarkStatuses(), std::vector<bool>{});
  harness.processWatermarkStatus1(true);
  EXPECT_EQ(harness.takeWatermarkStatuses(), std::vector<bool>{true});
  harness.processWatermarkStatus2(false);
  EXPECT_EQ(harness.takeWatermarkStatuses(), std::vector<bool>{false});
}

/// Writes down what it is told of checkpoints.
class Listener : public CheckpointListener {
 public:
  explicit Listener(std::shared_ptr<std::vector<std::string>> log) : log_(std::move(log)) {}
  void flatMap(const int64_t& value, Collector<int64_t>& out) { out.collect(value); }
  void notifyCheckpointComplete(int64_t id) override { tell("complete", id); }
  void notifyCheckpointAborted(int64_t id) override { tell("aborted", id); }

 private:
  void tell(const std::string& what, int64_t id) {
    log_->push_back(what + " " + std::to_string(id));
  }

  std::shared_ptr<std::vector<std::string>> log_;  // With the test.
};

TEST(FunctionHarness, FunctionsAreToldOfCheckpointsAfterTheEndOfBothInputs) {
  const auto log = std::make_shared<std::vector<std::string>>();
  auto harness = harnessOf<int64_t, int64_t>(
      [log](const DataStream<int64_t>& left, const DataStream<int64_t>& right) {
        return left.unionWith(right).flatMap<int64_t>(Listener(log));
      });
  harness.processElement1(1);
  harness.endInput1();
  EXPECT_EQ(harness.takeWatermarks(), std::vector<int64_t>{});
  harness.processElement2(2);
  harness.endInput2();
  EXPECT_EQ(harness.takeWatermarks(), std::vector<int64_t>{INT64_MAX});
  EXPECT_EQ(harness.takeValues(), (std::vector<int64_t>{1, 2}));
  const auto first = harness.snapshot();
  harness.notifyCheckpointAborted(first);
  harness.notifyCheckpointComplete(harness.snapshot());
  EXPECT_EQ(*log, (std::vector<std::string>{"aborted 1", "complete 2"}));
}

}  // namespace samples
