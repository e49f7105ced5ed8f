#include "api/connected_streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/serialization/describe.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

using Lines = std::vector<std::string>;

struct Order {
  std::string user;
  int64_t amount = 0;
};
WIESEL_DESCRIBE(Order, user, amount)

struct Limit {
  int64_t at_most = 0;
  std::string user;
};
WIESEL_DESCRIBE(Limit, at_most, user)

/// Tells the orders above the limit of their user, and, when an order has come, once more at the
/// time 100 how many came.
class AboveLimit : public KeyedCoProcessFunction<std::string, Order, Limit, std::string> {
 public:
  void open(const OpenContext&) override {
    limit_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"limit"});
    orders_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"orders"});
  }
  void processElement1(const Order& order, Context& context, Collector<std::string>& out) override {
    ++orders_.getOrInsert();
    context.timerService().registerEventTimeTimer(100);
    if (order.amount > limit_.value().value_or(0)) {
      out.collect(order.user + " orders " + std::to_string(order.amount));
    }
    context.output(OutputTag<int64_t>("amounts"), order.amount);
  }
  void processElement2(const Limit& limit, Context&, Collector<std::string>&) override {
    limit_.update(limit.at_most);
  }
  void onTimer(int64_t, OnTimerContext& context, Collector<std::string>& out) override {
    out.collect(context.getCurrentKey() + " had " + std::to_string(*orders_.value()));
    context.output(OutputTag<int64_t>("amounts"), -1);
  }

 private:
  ValueState<int64_t> limit_;
  ValueState<int64_t> orders_;
};

TEST(ConnectedStreamsTest, KeyedFunctionHasOneStateForBothSides) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto orders = harness.addInput<Order>();
  const auto limits = harness.addInput<Limit>();
  const auto above = orders.connect(limits).keyBy(&Order::user, &Limit::user).process(AboveLimit());
  lines.listen(harness, above);
  lines.listen(harness, above.getSideOutput(OutputTag<int64_t>("amounts")), "side ");
  harness.open();
  harness.process<Limit>(0, 1, {10, "a"}, 1);
  harness.process<Order>(0, 0, {"a", 10}, 2);
  harness.process<Order>(0, 0, {"a", 11}, 3);
  harness.process<Order>(0, 0, {"b", 1}, 4);
  EXPECT_EQ(lines.take(),
            (Lines{"side 10@2", "a orders 11@3", "side 11@3", "b orders 1@4", "side 1@4"}));

  harness.restore(harness.snapshot(), 2);
  const int of_a = harness.subtaskOf<std::string>("a");
  harness.process<Order>(of_a, 0, {"a", 12}, 5);
  lines.take();
  harness.watermark(0, 200);
  EXPECT_EQ(lines.take(), Lines{}) << "the other input has no watermark yet";
  harness.watermark(1, 100);
  Lines fired = lines.take();
  const std::string a = of_a == 0 ? "" : "1> ";
  EXPECT_NE(std::find(fired.begin(), fired.end(), a + "a had 3@100"), fired.end())
      << ::testing::PrintToString(fired);
  EXPECT_NE(std::find(fired.begin(), fired.end(), a + "side -1@100"), fired.end())
      << ::testing::PrintToString(fired);
}

class CountBoth : public CoMapFunction<Order, Limit, int64_t> {
 public:
  void open(const OpenContext&) override {
    sum_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"sum"});
  }
  int64_t map1(const Order& order) override { return sum_.getOrInsert() += order.amount; }
  int64_t map2(const Limit& limit) override { return sum_.getOrInsert() += limit.at_most * 100; }

 private:
  ValueState<int64_t> sum_;
};

TEST(ConnectedStreamsTest, TwoKeyedStreamsMakeOne) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto orders = harness.addInput<Order>();
  const auto limits = harness.addInput<Limit>();
  lines.listen(harness,
               orders.keyBy(&Order::user).connect(limits.keyBy(&Limit::user)).map(CountBoth()));
  harness.open();
  harness.process<Order>(0, 0, {"a", 1}, 1);
  harness.process<Limit>(0, 1, {2, "a"}, {});
  harness.process<Order>(0, 0, {"b", 3}, 1);
  EXPECT_EQ(lines.take(), (Lines{"1@1", "201", "3@1"}));
}

/// Any class with Flink's methods will do.
struct Repeat {
  void flatMap1(const Order& order, Collector<std::string>& out) const {
    for (int64_t i = 0; i < order.amount; ++i) out.collect(order.user);
  }
  void flatMap2(const Limit& limit, Collector<std::string>& out) const { out.collect(limit.user); }
};

TEST(ConnectedStreamsTest, FlatMapTakesRecordsOfBothSidesWithoutKeys) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto orders = harness.addInput<Order>();
  const auto limits = harness.addInput<Limit>();
  lines.listen(harness, orders.connect(limits).flatMap(Repeat()));
  harness.open();
  harness.process<Order>(0, 0, {"a", 2}, 5);
  harness.process<Order>(0, 0, {"b", 0}, 6);
  harness.process<Limit>(0, 1, {2, "c"}, 7);
  EXPECT_EQ(lines.take(), (Lines{"a@5", "a@5", "c@7"}));
  harness.status(0, true);
  EXPECT_EQ(lines.take(), Lines{});
  harness.watermark(1, 9);
  harness.status(1, true);
  EXPECT_EQ(lines.take(), (Lines{"W 9", "idle"}));
}

/// Without keys: clocks, but no timers.
struct Clocks : CoProcessFunction<Order, Limit, int64_t> {
  void processElement1(const Order&, Context& context, Collector<int64_t>& out) override {
    out.collect(context.timerService().currentWatermark());
    out.collect(context.timerService().currentProcessingTime());
  }
  void processElement2(const Limit&, Context& context, Collector<int64_t>&) override {
    context.timerService().registerEventTimeTimer(1);
  }
};

TEST(ConnectedStreamsTest, FunctionWithoutKeysHasClocksAndNoTimers) {
  testing::ProgramHarness harness({.now_ms = 77});
  OutputLines lines;
  const auto orders = harness.addInput<Order>();
  const auto limits = harness.addInput<Limit>();
  lines.listen(harness, orders.connect(limits).process(Clocks()).name("clocks"));
  harness.open();
  harness.watermark(0, 5);
  harness.watermark(1, 4);
  harness.process<Order>(0, 0, {"a", 2}, 5);
  EXPECT_EQ(lines.take(), (Lines{"W 4", "4@5", "77@5"}));
  try {
    harness.process<Limit>(0, 1, {2, "a"}, 7);
    FAIL() << "nothing was thrown";
  } catch (const runtime::OperatorFailure& failure) {
    EXPECT_STREQ(
        failure.what(),
        "operator 'clocks' uses timers, but its input has no keys: call keyBy() before it");
  }
}

}  // namespace
}  // namespace wiesel
