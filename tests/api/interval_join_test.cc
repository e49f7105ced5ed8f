#include "api/interval_join.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/serialization/describe.h"
#include "runtime/operators/operator_failure.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

struct Order {
  std::string user;
  int64_t number = 0;
};
WIESEL_DESCRIBE(Order, user, number)

struct Click {
  int64_t number = 0;
  std::string user;
};
WIESEL_DESCRIBE(Click, number, user)

const OutputTag<int64_t> kTimes("times");

/// Tells each pair, and at the side when its orders came. Counts the pairs of each user.
class TellPair : public ProcessJoinFunction<Order, Click, std::string> {
 public:
  void open(const OpenContext&) override {
    pairs_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"pairs"});
  }
  void processElement(const Order& order, const Click& click, Context& context,
                      Collector<std::string>& out) override {
    const int64_t pair = ++pairs_.getOrInsert();
    out.collect(order.user + " " + std::to_string(order.number) + "+" +
                std::to_string(click.number) + " is pair " + std::to_string(pair));
    context.output(kTimes, context.getLeftTimestamp());
  }

 private:
  ValueState<int64_t> pairs_;
};

class IntervalJoinTest : public ::testing::Test {
 protected:
  void join(milliseconds lower, milliseconds upper) {
    const auto orders = harness_.addInput<Order>().keyBy(&Order::user);
    const auto clicks = harness_.addInput<Click>().keyBy(&Click::user);
    const auto pairs = orders.intervalJoin(clicks).between(lower, upper).process(TellPair{});
    output_.listen(harness_, pairs);
    output_.listen(harness_, pairs.getSideOutput(kTimes), "left at ");
    harness_.open();
  }
  void order(const std::string& user, int64_t number, std::optional<int64_t> timestamp_ms) {
    harness_.process<Order>(0, 0, {user, number}, timestamp_ms);
  }
  void click(const std::string& user, int64_t number, std::optional<int64_t> timestamp_ms) {
    harness_.process<Click>(0, 1, {number, user}, timestamp_ms);
  }

  testing::ProgramHarness harness_;
  OutputLines output_;
};

TEST_F(IntervalJoinTest, TheFunctionHasStateOfItsOwnAndASideOutput) {
  join(milliseconds(-5), milliseconds(5));
  order("anna", 1, 10);
  order("bert", 2, 10);
  click("anna", 7, 12);
  click("anna", 8, 5);
  click("anna", 9, 16);
  EXPECT_EQ(output_.take(), (Lines{"anna 1+7 is pair 1@12", "left at 10@12",
                                   "anna 1+8 is pair 2@10", "left at 10@10"}));
}

TEST_F(IntervalJoinTest, MeetsAllRecordsOfOneTimestampInTheirOrder) {
  join(milliseconds(0), milliseconds(0));
  for (int64_t number = 1; number <= 3; ++number) order("anna", number, 10);
  click("anna", 7, 10);
  EXPECT_EQ(output_.take(),
            (Lines{"anna 1+7 is pair 1@10", "left at 10@10", "anna 2+7 is pair 2@10",
                   "left at 10@10", "anna 3+7 is pair 3@10", "left at 10@10"}));
}

TEST_F(IntervalJoinTest, TakesTimestampsAndBoundsAtTheEndsOfTime) {
  join(milliseconds::min(), milliseconds::max());
  order("anna", 1, -5);
  order("anna", 2, INT64_MAX - 1);
  click("anna", 7, INT64_MIN + 1);
  EXPECT_EQ(output_.take(), (Lines{"anna 1+7 is pair 1@-5", "left at -5@-5"}));
  click("anna", 8, 5);
  EXPECT_EQ(output_.take().size(), 4u);  // Both orders, in any order.
}

TEST_F(IntervalJoinTest, RefusesRecordsWithoutTimestamp) {
  join(milliseconds(0), milliseconds(0));
  try {
    click("anna", 7, std::nullopt);
    FAIL() << "it was taken";
  } catch (const runtime::OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(),
                 "an interval join got a record without a timestamp: call "
                 "assignTimestampsAndWatermarks() on both streams before it");
    EXPECT_EQ(failure.operatorName(), "Interval Join");
  }
}

TEST_F(IntervalJoinTest, RefusesALowerBoundAboveTheUpperOne) {
  try {
    join(milliseconds(2), milliseconds(1));
    FAIL() << "it was taken";
  } catch (const InvalidProgramException& error) {
    EXPECT_STREQ(error.what(),
                 "between(): the lower bound must not be above the upper one, got 2 ms and 1 ms");
  }
}

}  // namespace
}  // namespace wiesel
