#include <stdexcept>
#include <string>
#include <utility>

#include "api/keyed_stream.h"
#include "tests/conformance/families.h"
#include "tests/conformance/operations.h"
#include "tests/conformance/scenario.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

class WithKeys final : public KeyedProcessFunction<std::string, KeyedOps, Report> {
 public:
  explicit WithKeys(Operations operations) : operations_(std::move(operations)) {}

  void open(const OpenContext&) override { operations_.open(getRuntimeContext()); }
  void processElement(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    operations_.onRecord(record, context.getCurrentKey(), context, out);
  }
  void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Report>& out) override {
    operations_.onTimer(timestamp_ms, context.getCurrentKey(), context.timeDomain(), context, out);
  }

 private:
  Operations operations_;
};

class WithoutKeys final : public ProcessFunction<KeyedOps, Report> {
 public:
  explicit WithoutKeys(Operations operations) : operations_(std::move(operations)) {}

  void processElement(const KeyedOps& record, Context& context, Collector<Report>& out) override {
    operations_.onRecord(record, json(), context, out);
  }

 private:
  Operations operations_;
};

std::optional<std::string> replay(const json& line, Backend backend) {
  using Routing = Scenario::Routing;
  Scenario scenario(line, backend);
  const std::string type = scenario.op().at("type");
  const bool is_keyed = type == "keyedProcess";
  if (!is_keyed && type != "process") {
    throw std::invalid_argument("the operator " + type + " is not known to this runner");
  }
  const auto records = scenario.input<KeyedOps>(is_keyed ? Routing::kKeyed : Routing::kBySubtask);
  const Operations operations(scenario.op());
  const auto results = is_keyed ? records.keyBy(&KeyedOps::k).process(WithKeys(operations))
                                : records.process(WithoutKeys(operations));
  scenario.output(results);
  scenario.sideOutput(results, sideTag());
  return scenario.play();
}

}  // namespace

Family processFamily() { return {.name = "process", .replay = replay, .keeps_state = true}; }

Family stateTtlFamily() { return {.name = "state_ttl", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
