#include <stdexcept>
#include <string>
#include <vector>

#include "api/connected_streams.h"
#include "common/serialization/describe.h"
#include "runtime/input/valved_input.h"
#include "tests/conformance/families.h"
#include "tests/conformance/output_comparison.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

struct Number {
  int32_t n = 0;
};
WIESEL_DESCRIBE(Number, n)

void fromJson(const json& json, Number& number) { number.n = json.at("n"); }
json toJson(const Number& number) { return {{"n", number.n}}; }

/// Writes down what reaches an operator's input.
class Recorder final : public runtime::OperatorInput {
 public:
  void processBatch(runtime::BatchBase&) override {
    throw std::logic_error("nobody sends a record here");
  }
  void processWatermark(int64_t watermark_ms) override {
    outputs.push_back({{"after", event}, {"kind", "watermark"}, {"ts", watermark_ms}});
  }
  void processWatermarkStatus(bool idle) override {
    outputs.push_back({{"after", event}, {"kind", "status"}, {"idle", idle}});
  }

  int64_t event = -1;
  std::vector<json> outputs;
};

/// The valve in front of an input, with nothing behind it.
std::optional<std::string> replayValve(const json& scenario) {
  Recorder recorder;
  runtime::ValvedInput valve(recorder, scenario.at("operator").at("channels"));
  for (const json& event : scenario.at("events")) {
    ++recorder.event;
    if (event.at("kind") == "watermark") {
      valve.processWatermark(event.at("input"), event.at("ts"));
    } else if (event.at("kind") == "status") {
      valve.processWatermarkStatus(event.at("input"), event.at("idle"));
    } else {
      throw std::invalid_argument("a valve has no events of kind " +
                                  event.at("kind").get<std::string>());
    }
  }
  return compareOutputs(scenario.at("output"), recorder.outputs, scenario.at("order"));
}

/// The recorder's function: records pass as they come.
class Identity final : public CoProcessFunction<Number, Number, Number> {
 public:
  void processElement1(const Number& value, Context&, Collector<Number>& out) override {
    out.collect(value);
  }
  void processElement2(const Number& value, Context&, Collector<Number>& out) override {
    out.collect(value);
  }
};

std::optional<std::string> replayTwoInputs(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const auto first = scenario.input<Number>(Scenario::Routing::kBySubtask);
  const auto second = scenario.input<Number>(Scenario::Routing::kBySubtask);
  scenario.output(first.connect(second).process(Identity{}));
  return scenario.play();
}

std::optional<std::string> replay(const json& line, Backend backend) {
  const std::string type = line.at("operator").at("type");
  if (type == "statusWatermarkValve") return replayValve(line);
  if (type == "twoInputIdentity") return replayTwoInputs(line, backend);
  throw std::invalid_argument("the operator " + type + " is not known to this runner");
}

}  // namespace

Family valveFamily() { return {.name = "valve", .replay = replay}; }

}  // namespace wiesel::conformance
