#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/conformance/families.h"
#include "tests/conformance/records.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using Strategy = WatermarkStrategy<Record>;

constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

/// The recorder's generator with marks in the stream.
class Punctuated final : public WatermarkGenerator<Record> {
 public:
  void onEvent(const Record& event, int64_t timestamp_ms, WatermarkOutput& output) override {
    if (event.k == "mark") output.emitWatermark(timestamp_ms - 1);
    if (event.k == "idle") output.markIdle();
    if (event.k == "active") output.markActive();
  }
  void onPeriodicEmit(WatermarkOutput&) override {}
};

/// The recorder's generator whose delay follows the clock.
class DynamicDelay final : public WatermarkGenerator<Record> {
 public:
  DynamicDelay(json schedule, const testing::ProgramHarness& harness)
      : schedule_(std::move(schedule)), harness_(harness) {}

  void onEvent(const Record&, int64_t timestamp_ms, WatermarkOutput&) override {
    highest_ms_ = std::max(highest_ms_, timestamp_ms);
  }
  void onPeriodicEmit(WatermarkOutput& output) override {
    if (highest_ms_ != kNone) output.emitWatermark(highest_ms_ - delay() - 1);
  }

 private:
  int64_t delay() const {
    int64_t delay_ms = 0;
    for (const json& step : schedule_) {
      if (step.at(0).get<int64_t>() <= harness_.processingTime()) delay_ms = step.at(1);
    }
    return delay_ms;
  }

  const json schedule_;
  const testing::ProgramHarness& harness_;
  int64_t highest_ms_ = kNone;
};

Strategy generatorOf(const json& generator, const testing::ProgramHarness& harness) {
  const std::string type = generator.at("type");
  if (type == "boundedOutOfOrderness") {
    return Strategy::forBoundedOutOfOrderness(milliseconds(generator.at("delay")));
  }
  if (type == "monotonous") return Strategy::forMonotonousTimestamps();
  if (type == "none") return Strategy::noWatermarks();
  if (type == "punctuated") {
    return Strategy::forGenerator([] { return std::make_unique<Punctuated>(); });
  }
  if (type == "legacyBoundedOutOfOrderness") {
    return Strategy::forGenerator([delay = milliseconds(generator.at("delay"))] {
      return std::make_unique<LegacyBoundedOutOfOrdernessWatermarks<Record>>(delay);
    });
  }
  if (type == "dynamicDelay") {
    return Strategy::forGenerator([schedule = generator.at("schedule"), &harness] {
      return std::make_unique<DynamicDelay>(schedule, harness);
    });
  }
  throw std::invalid_argument("the generator " + type + " is not known to this runner");
}

Strategy assignedBy(const std::string& assigner, const Strategy& strategy) {
  if (assigner == "none") return strategy;
  if (assigner == "v") {
    return strategy.withTimestampAssigner(
        [](const Record& record, int64_t) { return int64_t{record.v}; });
  }
  if (assigner == "previousPlusOne") {
    return strategy.withTimestampAssigner([](const Record&, int64_t previous_ms) {
      return previous_ms == kNone ? int64_t{-1} : previous_ms + 1;
    });
  }
  throw std::invalid_argument("the assigner " + assigner + " is not known to this runner");
}

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const json& op = scenario.op();
  Strategy strategy =
      assignedBy(op.at("assigner"), generatorOf(op.at("generator"), scenario.harness()));
  if (!op.at("idleTimeout").is_null()) {
    strategy = strategy.withIdleness(milliseconds(op.at("idleTimeout")));
  }
  const auto records = scenario.input<Record>(Scenario::Routing::kBySubtask);
  scenario.output(records.assignTimestampsAndWatermarks(std::move(strategy)));
  return scenario.play();
}

}  // namespace

Family watermarkFamily() { return {.name = "watermark", .replay = replay}; }

}  // namespace wiesel::conformance
