#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/operators/process_operator.h"
#include "tests/runtime/operators/operator_harness.h"

namespace wiesel::runtime {
namespace {

/// Registers a processing-time timer for each record, 100 ms from then; puts the key out when it
/// fires.
class Delayed : public KeyedProcessFunction<int, int, int> {
 public:
  void processElement(const int&, Context& context, Collector<int>&) override {
    TimerService& timers = context.timerService();
    timers.registerProcessingTimeTimer(timers.currentProcessingTime() + 100);
  }
  void onTimer(int64_t, OnTimerContext& context, Collector<int>& out) override {
    out.collect(context.getCurrentKey());
  }
};

using Firings = InternalTimerService<int, VoidNamespace>;

std::unique_ptr<StreamOperator> delayed() {
  auto key = [](const int& value) { return value; };
  using Operator = KeyedProcessOperator<int, int, int, decltype(key), Delayed>;
  return std::make_unique<Operator>(key, Delayed());
}

TEST(ProcessingTimeTimersTest, LetTheOutputDrainBetweenMany) {
  OperatorHarness<int, int> harness(delayed);
  constexpr int kTimers = 2 * Firings::kFiringsPerTurn + 10;
  std::vector<int> keys;
  for (int key = 0; key < kTimers; ++key) keys.push_back(key);
  harness.recordsWithoutTimestamp(keys);
  harness.clock().setTo(2'000);
  EXPECT_TRUE(harness.clock().fireOne());
  EXPECT_EQ(harness.take().size(), size_t{Firings::kFiringsPerTurn});
  EXPECT_TRUE(harness.clock().fireOne());
  EXPECT_EQ(harness.take().size(), size_t{Firings::kFiringsPerTurn});
  EXPECT_TRUE(harness.clock().fireOne());
  EXPECT_EQ(harness.take().size(), 10u);
  EXPECT_FALSE(harness.clock().fireOne());
}

TEST(ProcessingTimeTimersTest, WhatWasLeftSurvivesASnapshotInBetween) {
  OperatorHarness<int, int> harness(delayed);
  std::vector<int> keys;
  for (int key = 0; key < Firings::kFiringsPerTurn + 3; ++key) keys.push_back(key);
  harness.recordsWithoutTimestamp(keys);
  harness.clock().setTo(2'000);
  EXPECT_TRUE(harness.clock().fireOne());
  harness.take();
  harness.snapshotAndRestore();
  harness.clock().advanceTo(2'000);
  EXPECT_EQ(harness.take().size(), 3u);
}

}  // namespace
}  // namespace wiesel::runtime
