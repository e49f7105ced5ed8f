// What joins do at the edges of their windows and bounds, and with a side that has nothing.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/api/output_lines.h"
#include "tests/api/shared_lines.h"
#include "tests/field/scripted_source.h"

namespace wiesel::field {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Lines = std::vector<std::string>;

std::string list(std::span<const Row> rows) {
  std::string text = "[";
  for (const Row& row : rows) text += (text.size() > 1 ? "," : "") + row.value;
  return text + "]";
}

/// Two streams for windows of 1 s; all rows of the right one come after those of the left one.
class JoinOfASlowSideTest : public ::testing::Test {
 protected:
  JoinOfASlowSideTest()
      : left_(env_.fromSource(ScriptedSource({.splits = {{{"a", "L1", 100}, {"k", "L2", 100}}}}),
                              bounded(0), "left")
                  .map([seen = left_seen_](const Row& row) {
                    ++*seen;
                    return row;
                  })),
        right_(env_.fromSource(
            ScriptedSource({.splits = {{{"b", "R1", 200}, {"k", "R2", 900}}},
                            .may_begin = [seen = left_seen_] { return *seen == 2; }}),
            bounded(0), "right")) {}

  Lines run() {
    env_.execute("join");
    return lines_.takeSorted();
  }

  std::shared_ptr<std::atomic<int>> left_seen_ = std::make_shared<std::atomic<int>>(0);
  StreamExecutionEnvironment env_ = StreamExecutionEnvironment::getExecutionEnvironment();
  testing::SharedLines lines_;
  DataStream<Row> left_;
  DataStream<Row> right_;
};

TEST_F(JoinOfASlowSideTest, CoGroupGivesKeysOfEitherSideOnce) {
  left_.coGroup(right_)
      .where(&Row::key)
      .equalTo(&Row::key)
      .window(TumblingEventTimeWindows::of(seconds(1)))
      .apply(
          [](std::span<const Row> left, std::span<const Row> right, Collector<std::string>& out) {
            out.collect((left.empty() ? right : left).front().key + ":" + list(left) + "|" +
                        list(right));
          })
      .addSink(lines_.sink());
  EXPECT_EQ(run(), (Lines{"a:[L1]|[]", "b:[]|[R1]", "k:[L2]|[R2]"}));
}

TEST_F(JoinOfASlowSideTest, JoinGivesPairsOnly) {
  left_.join(right_)
      .where(&Row::key)
      .equalTo(&Row::key)
      .window(TumblingEventTimeWindows::of(seconds(1)))
      .apply([](const Row& left, const Row& right) {
        return left.key + ":" + left.value + "," + right.value;
      })
      .addSink(lines_.sink());
  EXPECT_EQ(run(), Lines{"k:L2,R2"});
}

/// "left's time-right's time@the pair's time"
class TellTimes : public ProcessJoinFunction<Row, Row, std::string> {
 public:
  void processElement(const Row&, const Row&, Context& context,
                      Collector<std::string>& out) override {
    out.collect(std::to_string(context.getLeftTimestamp()) + "-" +
                std::to_string(context.getRightTimestamp()) + "@" +
                std::to_string(context.getTimestamp()));
  }
};

class IntervalJoinEdgesTest : public ::testing::Test {
 protected:
  static Row row(int64_t time_ms) { return {"k", "", time_ms}; }

  auto join(const DataStream<Row>& left, const DataStream<Row>& right) const {
    return left.keyBy(&Row::key)
        .intervalJoin(right.keyBy(&Row::key))
        .between(milliseconds(-500), milliseconds(500));
  }
};

TEST_F(IntervalJoinEdgesTest, BoundsAreInclusiveUnlessSaidOtherwise) {
  for (const bool lower_is_exclusive : {false, true}) {
    testing::SharedLines lines;
    auto env = StreamExecutionEnvironment::getExecutionEnvironment();
    const auto left = env.fromElements(row(1000)).assignTimestampsAndWatermarks(onlyAtTheEnd());
    const auto right = env.fromElements(row(499), row(500), row(1500), row(1501))
                           .assignTimestampsAndWatermarks(onlyAtTheEnd());
    auto joined = join(left, right);
    if (lower_is_exclusive) joined.lowerBoundExclusive();
    joined.process(TellTimes{}).addSink(lines.sink());
    env.execute("interval join");
    EXPECT_EQ(lines.takeSorted(), lower_is_exclusive ? Lines{"1000-1500@1500"}
                                                     : (Lines{"1000-1500@1500", "1000-500@1000"}));
  }
}

TEST_F(IntervalJoinEdgesTest, ARowAtTheWatermarkIsInTimeAndOneBeforeItIsLate) {
  testing::ProgramHarness harness;
  OutputLines output;
  const auto left = harness.addInput<Row>();
  const auto right = harness.addInput<Row>();
  auto joined = join(left, right);
  const OutputTag<Row> late("late");
  joined.sideOutputLeftLateData(late);
  const auto pairs = joined.process(TellTimes{});
  output.listen(harness, pairs, "pair ");
  output.listen(harness, pairs.getSideOutput(late).map([](const Row& row) { return row.time_ms; }),
                "late ");
  harness.open();
  for (const int input : {0, 1}) harness.watermark(input, 999);
  harness.process<Row>(0, 0, row(999), 999);
  harness.process<Row>(0, 1, row(999), 999);
  harness.process<Row>(0, 0, row(998), 998);
  EXPECT_EQ(output.take(), (Lines{"pair 999-999@999@999", "late 998@998"}));
}

}  // namespace
}  // namespace wiesel::field
