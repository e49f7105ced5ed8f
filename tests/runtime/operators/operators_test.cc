#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/operators/map_operator.h"
#include "runtime/operators/operator_failure.h"
#include "runtime/operators/timestamps_and_watermarks_operator.h"
#include "runtime/windowing/tumbling_window_operator.h"
#include "runtime/windowing/window_contents.h"
#include "tests/runtime/operators/operator_harness.h"

namespace wiesel::runtime {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

constexpr int64_t kLastWatermark = std::numeric_limits<int64_t>::max();

template <class In, class Out, class F>
auto mapOperator(F f) {
  return [f] { return std::make_unique<MapOperator<In, Out, F>>(f); };
}

TEST(OutputTest, KeepsRecordsWithAndWithoutTimestampsApartAndInOrder) {
  Output<int> output;
  RecordingInput<int> input;
  output.addTarget(input);
  output.setTimestamp(5);
  output.collect(1);
  output.eraseTimestamp();
  output.collect(2);
  output.setTimestamp(6);
  output.collect(3);
  output.emitWatermark(7);
  EXPECT_EQ(input.lines, (Lines{"1@5", "2", "3@6", "W 7"}));
}

TEST(OutputTest, HandsEachRecordOnAtOnceWhenOneIsAFullBatch) {
  Output<int> output;
  RecordingInput<int> input;
  output.addTarget(input);
  output.collect(1);
  EXPECT_EQ(input.lines, Lines());
  output.flushRecords();
  output.setBatchRecords(1);
  output.collect(2);
  EXPECT_EQ(input.lines, (Lines{"1", "2"}));
}

TEST(OutputTest, GivesEveryTargetAllRecords) {
  Output<std::string> output;
  RecordingInput<std::string> first, second;
  output.addTarget(first);
  output.addTarget(second);
  output.collect("a text too long for the small string optimisation");
  output.flushRecords();
  EXPECT_EQ(first.lines, second.lines);
  EXPECT_EQ(first.lines.size(), 1u);
}

TEST(MapOperatorTest, HandsOnWhatCameBeforeTheFailingRecord) {
  OperatorHarness<int, int> harness(mapOperator<int, int>([](int value) -> int {
    if (value == 3) throw std::runtime_error("three");
    return value * 10;
  }));
  try {
    harness.recordsWithoutTimestamp({1, 2, 3, 4});
    FAIL() << "nothing was thrown";
  } catch (const OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(), "three");
    EXPECT_EQ(failure.operatorName(), "operator");
    EXPECT_EQ(failure.type(), "std::runtime_error");
  }
  EXPECT_EQ(harness.take(), (Lines{"10", "20"}));
}

TEST(MapOperatorTest, NamesAValueThatIsNoException) {
  OperatorHarness<int, int> harness(mapOperator<int, int>([](int value) -> int { throw value; }));
  try {
    harness.recordsWithoutTimestamp({1});
    FAIL() << "nothing was thrown";
  } catch (const OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(), "a value of type int was thrown, which is no std::exception");
    EXPECT_EQ(failure.type(), "int");
  }
}

TEST(MapOperatorTest, NamesTheTypeOfAnExceptionWithoutText) {
  OperatorHarness<int, int> harness(
      mapOperator<int, int>([](int) -> int { throw std::runtime_error(""); }));
  try {
    harness.recordsWithoutTimestamp({1});
    FAIL() << "nothing was thrown";
  } catch (const OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(), "a std::runtime_error without a text");
  }
}

class WatermarksTest : public ::testing::Test {
 protected:
  static constexpr int64_t kFirstProbeMs =
      1200;  // The harness begins at 1000, probes come each 200.

  static WatermarkStrategy<int64_t> bounded(int64_t delay_ms) {
    return WatermarkStrategy<int64_t>::forBoundedOutOfOrderness(milliseconds(delay_ms))
        .withTimestampAssigner([](const int64_t& value, int64_t) { return value; });
  }

  static OperatorHarness<int64_t, int64_t> harnessOf(WatermarkStrategy<int64_t> strategy) {
    return OperatorHarness<int64_t, int64_t>([strategy = std::move(strategy)] {
      return std::make_unique<TimestampsAndWatermarksOperator<int64_t>>(strategy);
    });
  }
};

TEST_F(WatermarksTest, BoundedOutOfOrdernessStaysOneBehind) {
  auto harness = harnessOf(bounded(10));
  harness.recordsWithoutTimestamp({50, 40});
  EXPECT_EQ(harness.take(), (Lines{"50@50", "40@40"}));
  harness.clock().advanceTo(kFirstProbeMs);
  EXPECT_EQ(harness.take(), Lines{"W 39"});
  harness.clock().advanceTo(kFirstProbeMs + 200);
  EXPECT_EQ(harness.take(), Lines{}) << "a watermark that did not grow is not sent again";
}

TEST_F(WatermarksTest, TheOldExtractorDoesNotStayOneBehind) {
  auto harness = harnessOf(
      WatermarkStrategy<int64_t>::forGenerator([] {
        return std::make_unique<LegacyBoundedOutOfOrdernessWatermarks<int64_t>>(milliseconds(10));
      }).withTimestampAssigner([](const int64_t& value, int64_t) { return value; }));
  harness.clock().advanceTo(kFirstProbeMs);
  EXPECT_EQ(harness.take(), Lines{}) << "there is none before the first record";
  harness.recordsWithoutTimestamp({50});
  harness.clock().advanceTo(kFirstProbeMs + 200);
  EXPECT_EQ(harness.take(), (Lines{"50@50", "W 40"}));
}

TEST_F(WatermarksTest, OnlyTheLastWatermarkOfUpstreamPasses) {
  auto harness = harnessOf(bounded(0));
  harness.watermark(1000);
  EXPECT_EQ(harness.take(), Lines{});
  harness.watermark(kLastWatermark);
  EXPECT_EQ(harness.take(), Lines{"W " + std::to_string(kLastWatermark)});
}

TEST_F(WatermarksTest, IdlenessBeginsAfterTheTimeoutAndEndsWithALargerWatermark) {
  auto harness = harnessOf(bounded(0).withIdleness(milliseconds(300)));
  harness.recordsWithoutTimestamp({5});
  harness.take();
  Lines all;
  for (int64_t now_ms = kFirstProbeMs; now_ms <= 2000; now_ms += 200) {
    harness.clock().advanceTo(now_ms);
    for (std::string& line : harness.take()) all.push_back(std::to_string(now_ms) + " " + line);
  }
  // 1200 sees the record, 1400 starts the timer, 1600 is 200 ms later, 1800 is over 300.
  EXPECT_EQ(all, (Lines{"1200 W 4", "1800 idle"}));
  harness.recordsWithoutTimestamp({9});
  harness.clock().advanceTo(2200);
  EXPECT_EQ(harness.take(), (Lines{"9@9", "active", "W 8"}));
}

/// A word and its number.
using Word = std::pair<std::string, int64_t>;

struct WordOf {
  const std::string& operator()(const Word& word) const { return word.first; }
};
struct AddNumbers {
  Word operator()(const Word& left, const Word& right) const {
    return {left.first, left.second + right.second};
  }
};
struct EmitSum {
  void operator()(const std::string&, const TimeWindow&, const Word& sum,
                  WindowContext<std::string, TimeWindow>&, Collector<Word>& out) const {
    out.collect(sum);
  }
};

class TumblingWindowOperatorTest : public ::testing::Test {
 protected:
  using SumOfWindow = ReducedWindow<TimeWindow, Word, AddNumbers>;
  using Sums = TumblingWindowOperator<Word, Word, std::string, WordOf, SumOfWindow, EmitSum>;

  static std::unique_ptr<StreamOperator> sums() {
    return std::make_unique<Sums>(WordOf(), TumblingEventTimeWindows::of(milliseconds(100)),
                                  std::nullopt, SumOfWindow(AddNumbers()), EmitSum());
  }

  OperatorHarness<Word, Word> harness_{sums};
};

TEST_F(TumblingWindowOperatorTest, FiresWhenTheWatermarkReachesEndMinusOne) {
  harness_.records({{{"a", 1}, 0}, {{"b", 5}, 50}, {{"a", 2}, 99}, {{"a", 7}, 100}});
  harness_.watermark(98);
  EXPECT_EQ(harness_.take(), Lines{"W 98"});
  harness_.watermark(99);
  Lines fired = harness_.take();
  ASSERT_EQ(fired.size(), 3u);
  EXPECT_EQ(fired.back(), "W 99");
  fired.pop_back();
  std::sort(fired.begin(), fired.end());
  EXPECT_EQ(fired, (Lines{"(a,3)@99", "(b,5)@99"}));
  harness_.watermark(kLastWatermark);
  EXPECT_EQ(harness_.take(), (Lines{"(a,7)@199", "W " + std::to_string(kLastWatermark)}));
}

TEST_F(TumblingWindowOperatorTest, DropsWhatComesAfterItsWindowHasFired) {
  harness_.watermark(99);
  harness_.records({{{"a", 1}, 99}, {{"a", 2}, 100}});
  harness_.watermark(kLastWatermark);
  EXPECT_EQ(harness_.take(), (Lines{"W 99", "(a,2)@199", "W " + std::to_string(kLastWatermark)}));
}

TEST_F(TumblingWindowOperatorTest, WindowsOfNegativeTimesBeginBelowThem) {
  harness_.records({{{"a", 1}, -1}, {{"a", 2}, -100}, {{"a", 4}, -101}});
  harness_.watermark(0);
  EXPECT_EQ(harness_.take(), (Lines{"(a,4)@-101", "(a,3)@-1", "W 0"}));
}

TEST_F(TumblingWindowOperatorTest, GoesOnFromASnapshotWithoutItsWatermark) {
  harness_.records({{{"a", 1}, 10}, {{"b", 2}, 110}});
  harness_.watermark(50);
  harness_.take();
  harness_.snapshotAndRestore();
  harness_.records({{{"a", 4}, 20}});
  harness_.watermark(99);
  EXPECT_EQ(harness_.take(), (Lines{"(a,5)@99", "W 99"}));
  harness_.watermark(199);
  EXPECT_EQ(harness_.take(), (Lines{"(b,2)@199", "W 199"}));
}

TEST_F(TumblingWindowOperatorTest, LetsItsOutputDrainBetweenManyWindows) {
  std::vector<std::pair<Word, int64_t>> words;
  for (int i = 0; i < 3000; ++i) words.push_back({{std::to_string(i), i}, 1});
  harness_.records(words);
  harness_.watermark(99);
  const Lines lines = harness_.take();
  EXPECT_EQ(lines.size(), 3001u);
  EXPECT_EQ(lines.back(), "W 99");
}

TEST_F(TumblingWindowOperatorTest, RefusesRecordsWithoutTimestamp) {
  try {
    harness_.recordsWithoutTimestamp({{"a", 1}});
    FAIL() << "nothing was thrown";
  } catch (const OperatorFailure& failure) {
    EXPECT_TRUE(std::string(failure.what()).starts_with("a record has no timestamp"));
  }
}

TEST_F(TumblingWindowOperatorTest, RefusesTheTimestampOfRecordsThatHaveNone) {
  EXPECT_THROW(harness_.records({{{"a", 1}, std::numeric_limits<int64_t>::min()}}),
               OperatorFailure);
}

TEST(WatermarkStrategyTest, RefusesTimesThatAreNone) {
  using Strategy = WatermarkStrategy<int64_t>;
  EXPECT_THROW(Strategy::forBoundedOutOfOrderness(milliseconds(-1)), std::invalid_argument);
  EXPECT_THROW(Strategy::noWatermarks().withIdleness(milliseconds(0)), std::invalid_argument);
}

TEST(TumblingEventTimeWindowsTest, RefusesSizesAndOffsetsThatMakeNoWindows) {
  EXPECT_THROW(TumblingEventTimeWindows::of(milliseconds(0)), std::invalid_argument);
  EXPECT_THROW(TumblingEventTimeWindows::of(milliseconds(10), milliseconds(10)),
               std::invalid_argument);
  EXPECT_THROW(TumblingEventTimeWindows::of(milliseconds(10), milliseconds(-10)),
               std::invalid_argument);
  const auto shifted = TumblingEventTimeWindows::of(std::chrono::hours(24), std::chrono::hours(-8));
  EXPECT_EQ(shifted.windowOf(1710086399000), (TimeWindow{1710000000000, 1710086400000}));
  EXPECT_EQ(shifted.windowOf(1710086400000), (TimeWindow{1710086400000, 1710172800000}));
}

}  // namespace
}  // namespace wiesel::runtime
