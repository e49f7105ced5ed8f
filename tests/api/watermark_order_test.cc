#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/keyed_stream.h"
#include "runtime/functions/process_function.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

/// Registers a timer for each record's number.
class TellTimers : public KeyedProcessFunction<int64_t, int64_t, int64_t> {
 public:
  void processElement(const int64_t& number, Context& context, Collector<int64_t>&) override {
    context.timerService().registerEventTimeTimer(number);
  }
  void onTimer(int64_t timestamp_ms, OnTimerContext&, Collector<int64_t>& out) override {
    out.collect(timestamp_ms);
  }
};

// The last channel that turns idle may release a watermark. When that makes more timers due than an
// operator calls in one go, the status must wait with the watermark: behind an idle status the next
// operator would not listen to it.
TEST(WatermarkOrderTest, AStatusDoesNotOvertakeAWatermarkThatIsStillWorkedThrough) {
  constexpr int64_t kTimers = 5000;
  testing::ProgramHarness harness;
  OutputLines output;
  const auto first = harness.addInput<int64_t>();
  const auto second = harness.addInput<int64_t>();
  output.listen(harness, first.unionWith(second)
                             .keyBy([](const int64_t& number) { return number; })
                             .process(TellTimers{}));
  harness.open();
  for (int64_t number = 1; number <= kTimers; ++number) harness.process<int64_t>(0, 0, number, 0);
  harness.watermark(0, kTimers);
  harness.watermark(1, 0);
  harness.status(0, true);
  EXPECT_EQ(output.take(), (std::vector<std::string>{"W 0"}));

  harness.status(1, true);
  const std::vector<std::string> lines = output.take();
  ASSERT_EQ(lines.size(), static_cast<size_t>(kTimers) + 2);
  EXPECT_EQ(lines[kTimers], "W " + std::to_string(kTimers));
  EXPECT_EQ(lines[kTimers + 1], "idle");
}

}  // namespace
}  // namespace wiesel
