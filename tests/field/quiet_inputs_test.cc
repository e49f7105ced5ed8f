// Inputs that say nothing must not hold the others' windows back, and which ones do.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/api/output_lines.h"
#include "tests/field/scripted_source.h"

namespace wiesel::field {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Lines = std::vector<std::string>;

constexpr std::chrono::seconds kPatience(20);

/// Runs a count over windows of 5 s of splits that stay open until the first line has come, and
/// returns that line; "none" when there is none for too long.
std::string firstLineOf(std::vector<std::vector<Row>> splits, WatermarkStrategy<Row> strategy,
                        int source_parallelism) {
  const auto first_line = std::make_shared<std::promise<std::string>>();
  const auto has_line = std::make_shared<std::atomic<bool>>(false);
  const auto gives_up = std::chrono::steady_clock::now() + kPatience;
  const auto is_over = [has_line, gives_up] {
    return *has_line || std::chrono::steady_clock::now() > gives_up;
  };
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  auto rows = env.fromSource(ScriptedSource({.splits = std::move(splits), .may_end = is_over}),
                             std::move(strategy), "script")
                  .setParallelism(source_parallelism);
  count(rows, TumblingEventTimeWindows::of(seconds(5)))
      .setParallelism(1)
      .addSink([first_line, has_line](const std::string& line) {
        if (has_line->exchange(true)) return;
        first_line->set_value(line);
      });
  env.execute("quiet");
  return std::chrono::steady_clock::now() > gives_up ? "none" : first_line->get_future().get();
}

TEST(QuietSplit, ThatIsIdleDoesNotHoldTheWindowsBack) {
  EXPECT_EQ(firstLineOf({{{"k", "1", 1000}, {"k", "1", 6000}}, {}},
                        bounded(0).withIdleness(milliseconds(200)), 1),
            "k,[0,5000),1");
}

TEST(QuietSplit, SubtasksWithoutASplitDoNotEither) {
  EXPECT_EQ(firstLineOf({{{"k", "1", 1000}, {"k", "1", 6000}}}, bounded(0), 4), "k,[0,5000),1");
}

const MapStateDescriptor<std::string, std::string> kRules("rules");

/// Passes rows on.
class ApplyRules : public BroadcastProcessFunction<Row, std::string, Row> {
 public:
  void processElement(const Row& row, ReadOnlyContext&, Collector<Row>& out) override {
    out.collect(row);
  }
  void processBroadcastElement(const std::string& rule, Context& context,
                               Collector<Row>&) override {
    context.getBroadcastState(kRules).put(rule, rule);
  }
};

/// Says at once that nothing earlier than the end of time will come.
class HighestWatermark final : public WatermarkGenerator<std::string> {
 public:
  void onEvent(const std::string&, int64_t, WatermarkOutput&) override {}
  void onPeriodicEmit(WatermarkOutput& output) override {
    output.emitWatermark(std::numeric_limits<int64_t>::max());
  }
};

class RulesWithoutWatermarksTest : public ::testing::Test {
 protected:
  void begin() {
    auto main = rows_.connect(rules_.broadcast(kRules)).process(ApplyRules{});
    output_.listen(harness_, count(main, TumblingEventTimeWindows::of(seconds(5))));
    harness_.open();
  }
  Lines linesOf(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      harness_.process<Row>(0, 0, row, row.time_ms);
      harness_.watermark(0, row.time_ms - 1);
    }
    harness_.process<std::string>(0, 1, "r1", std::nullopt);
    harness_.setProcessingTime(1000);
    Lines lines = output_.take();
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("W "); });
    return lines;
  }

  testing::ProgramHarness harness_;
  OutputLines output_;
  DataStream<Row> rows_ = harness_.addInput<Row>();
  DataStream<std::string> rules_ = harness_.addInput<std::string>();
};

TEST_F(RulesWithoutWatermarksTest, HoldTheWindowsBack) {
  begin();
  EXPECT_EQ(linesOf({{"k", "1", 1000}, {"k", "1", 6000}}), Lines{});
}

TEST_F(RulesWithoutWatermarksTest, DoNotWhenTheySayTheHighestOneAtOnce) {
  rules_ = rules_.assignTimestampsAndWatermarks(WatermarkStrategy<std::string>::forGenerator(
      [] { return std::make_unique<HighestWatermark>(); }));
  begin();
  EXPECT_EQ(linesOf({{"k", "1", 1000}, {"k", "1", 6000}}), Lines{"k,[0,5000),1@4999"});
}

TEST_F(RulesWithoutWatermarksTest, DoNotWhenTheyHaveEnded) {
  begin();
  harness_.watermark(1, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(linesOf({{"k", "1", 1000}, {"k", "1", 6000}}), Lines{"k,[0,5000),1@4999"});
}

}  // namespace
}  // namespace wiesel::field
