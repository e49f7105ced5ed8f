#include "runtime/operators/source_watermarks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/operators/operator_harness.h"

namespace wiesel::runtime {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

/// Records are their own timestamps; probes come when a test says so.
class SourceWatermarksTest : public ::testing::Test {
 protected:
  SourceWatermarksTest() { output_.addTarget(input_); }

  void probe(int64_t now_ms) { watermarks_.onPeriodicEmit(now_ms); }
  Lines take() {
    output_.flushRecords();
    return std::exchange(input_.lines, {});
  }

  const WatermarkStrategy<int64_t> strategy_ =
      WatermarkStrategy<int64_t>::forMonotonousTimestamps()
          .withTimestampAssigner([](const int64_t& value, int64_t) { return value; })
          .withIdleness(milliseconds(100));
  RecordingInput<int64_t> input_;
  Output<int64_t> output_;
  SourceWatermarks<int64_t> watermarks_{strategy_, output_};
};

TEST_F(SourceWatermarksTest, OfASourceWithoutSplitsFollowItsRecords) {
  watermarks_.collect(5);
  watermarks_.collectWithTimestamp(3, 1000);
  watermarks_.afterPoll(false);
  probe(0);
  EXPECT_EQ(take(), (Lines{"5@5", "3@3", "W 4"}));
}

TEST_F(SourceWatermarksTest, AreTheLowestOfTheSplits) {
  auto& left = watermarks_.createOutputForSplit("left");
  auto& right = watermarks_.createOutputForSplit("right");
  left.collect(50);
  probe(0);
  EXPECT_EQ(take(), (Lines{"50@50"}));
  right.collect(20);
  probe(0);
  EXPECT_EQ(take(), (Lines{"20@20", "W 19"}));
  right.collect(70);
  left.collect(60);
  probe(0);
  EXPECT_EQ(take(), (Lines{"70@70", "60@60", "W 59"}));
}

TEST_F(SourceWatermarksTest, DoNotWaitForASplitThatIsIdle) {
  auto& left = watermarks_.createOutputForSplit("left");
  watermarks_.createOutputForSplit("quiet");
  probe(0);
  left.collect(50);
  probe(100);
  EXPECT_EQ(take(), (Lines{"50@50"}));
  left.collect(60);
  probe(101);
  EXPECT_EQ(take(), (Lines{"60@60", "W 59"}));
}

TEST_F(SourceWatermarksTest, DoNotWaitForASplitThatIsReleased) {
  watermarks_.createOutputForSplit("left").collect(50);
  watermarks_.createOutputForSplit("gone");
  probe(0);
  EXPECT_EQ(take(), (Lines{"50@50"}));
  watermarks_.releaseOutputForSplit("gone");
  EXPECT_EQ(take(), (Lines{"W 49"}));
}

TEST_F(SourceWatermarksTest, TellTheHighestWhenTheLastSplitGoesIdle) {
  watermarks_.createOutputForSplit("quiet");
  watermarks_.createOutputForSplit("left").collect(50);
  probe(0);
  EXPECT_EQ(take(), (Lines{"50@50"}));
  for (const int64_t now_ms : {100, 200, 201, 301}) probe(now_ms);
  EXPECT_EQ(take(), (Lines{"W 49", "idle"}));
}

TEST_F(SourceWatermarksTest, AreIdleAtOnceWithoutASplit) {
  watermarks_.afterPoll(true);
  EXPECT_EQ(take(), (Lines{"idle"}));
  watermarks_.afterPoll(true);
  probe(0);
  EXPECT_EQ(take(), Lines{});
  auto& late = watermarks_.createOutputForSplit("late");
  EXPECT_EQ(take(), (Lines{"active"}));
  late.collect(50);
  probe(0);
  watermarks_.releaseOutputForSplit("late");
  EXPECT_EQ(take(), (Lines{"50@50", "W 49", "idle"}));
}

TEST_F(SourceWatermarksTest, OfAReaderThatDoesNotKnowItsSplitsHoldTimeBack) {
  watermarks_.afterPoll(false);
  probe(0);
  EXPECT_EQ(take(), Lines{});
}

TEST_F(SourceWatermarksTest, OfARecordComeBehindIt) {
  const auto each_event = WatermarkStrategy<int64_t>::forGenerator([] {
    class EachEvent final : public WatermarkGenerator<int64_t> {
      void onEvent(const int64_t&, int64_t timestamp_ms, WatermarkOutput& output) override {
        output.emitWatermark(timestamp_ms);
      }
      void onPeriodicEmit(WatermarkOutput&) override {}
    };
    return std::make_unique<EachEvent>();
  });
  SourceWatermarks<int64_t> watermarks(each_event, output_);
  watermarks.collectWithTimestamp(1, 10);
  watermarks.createOutputForSplit("split").collectWithTimestamp(2, 20);
  watermarks.collectWithTimestamp(3, 30);
  EXPECT_EQ(take(), (Lines{"1@10", "W 10", "2@20", "3@30", "W 20"}));
}

}  // namespace
}  // namespace wiesel::runtime
