#include "runtime/functions/process_function.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/keyed_stream.h"
#include "tests/api/output_lines.h"

namespace wiesel {
namespace {

using Lines = std::vector<std::string>;

const OutputTag<std::string> kSide("side");

/// One that does not ask for the key.
class Remind : public ProcessFunction<int64_t, std::string> {
 public:
  void processElement(const int64_t& value, Context& context,
                      Collector<std::string>& out) override {
    out.collect("got " + std::to_string(value));
    context.output(kSide, "saw " + std::to_string(value));
    context.timerService().registerEventTimeTimer(value);
    context.timerService().registerProcessingTimeTimer(value);
  }
  void onTimer(int64_t timestamp_ms, OnTimerContext& context,
               Collector<std::string>& out) override {
    const std::string clock =
        context.timeDomain() == TimeDomain::EVENT_TIME ? "event " : "processing ";
    out.collect(clock + std::to_string(timestamp_ms));
    context.output(kSide, "timer " + std::to_string(*context.timestamp()));
  }
};

int64_t sameKey(const int64_t&) { return 0; }

TEST(ProcessFunctionTest, HasTimersOnAKeyedStream) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto reminded = harness.addInput<int64_t>().keyBy(sameKey).process(Remind());
  lines.listen(harness, reminded);
  lines.listen(harness, reminded.getSideOutput(kSide), "side ");
  harness.open();
  harness.process<int64_t>(0, 0, 50, 7);
  EXPECT_EQ(lines.take(), (Lines{"got 50@7", "side saw 50@7"}));
  harness.watermark(0, 50);
  EXPECT_EQ(lines.take(), (Lines{"event 50@50", "side timer 50@50", "W 50"}));
  harness.setProcessingTime(60);
  EXPECT_EQ(lines.take(), (Lines{"processing 50", "side timer 50@50"}))
      << "results of a processing-time timer have no timestamp, side outputs do";
}

TEST(ProcessFunctionTest, HasNoTimersWithoutKeys) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto reminded = harness.addInput<int64_t>().process(Remind()).name("remind");
  lines.listen(harness, reminded);
  lines.listen(harness, reminded.getSideOutput(kSide), "side ");
  harness.open();
  try {
    harness.process<int64_t>(0, 0, 50, {});
    FAIL() << "nothing was thrown";
  } catch (const runtime::OperatorFailure& failure) {
    EXPECT_STREQ(
        failure.what(),
        "operator 'remind' uses timers, but its input has no keys: call keyBy() before it");
  }
  EXPECT_EQ(lines.take(), (Lines{"got 50", "side saw 50@-9223372036854775808"}))
      << "what came before the failure has left; a side output has a timestamp in any case";
}

class Remember : public RichFunction {
 public:
  void open(const OpenContext&) override {
    last_ = getRuntimeContext().getState(ValueStateDescriptor<int64_t>{"last"});
  }
  int64_t map(const int64_t& value) const { return value; }

 private:
  ValueState<int64_t> last_;
};

TEST(ProcessFunctionTest, HasNoStateWithoutKeys) {
  testing::ProgramHarness harness;
  harness.addInput<int64_t>().map(Remember()).name("remember");
  try {
    harness.open();
    FAIL() << "nothing was thrown";
  } catch (const runtime::OperatorFailure& failure) {
    EXPECT_STREQ(failure.what(),
                 "operator 'remember' asks for keyed state 'last', but its input has no keys: call "
                 "keyBy() before it");
  }
}

struct WrongSide : ProcessFunction<int64_t, int64_t> {
  void processElement(const int64_t& value, Context& context, Collector<int64_t>&) override {
    context.output(OutputTag<int64_t>("side"), value);
  }
};

TEST(ProcessFunctionTest, RefusesASideThatIsReadWithAnotherType) {
  testing::ProgramHarness harness;
  OutputLines lines;
  const auto processed = harness.addInput<int64_t>().process(WrongSide());
  lines.listen(harness, processed.getSideOutput(kSide), "side ");
  harness.open();
  EXPECT_THROW(harness.process<int64_t>(0, 0, 1, {}), runtime::OperatorFailure);
}

}  // namespace
}  // namespace wiesel
