#include "tests/conformance/scenario.h"

#include <stdexcept>

#include "tests/conformance/output_comparison.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

/// The clock while the operator opens: the recorder's own, or 1000 before the first event.
constexpr int64_t kFirstClock = 1000;

testing::HarnessSettings settingsOf(const json& op, Backend backend) {
  testing::HarnessSettings settings;
  settings.max_parallelism = op.value("maxParallelism", 128);
  settings.now_ms = op.value("initialProcessingTime", kFirstClock);
  settings.auto_watermark_interval_ms = op.value("autoWatermarkInterval", int64_t{0});
  settings.backend = backend == Backend::kRocksdb ? testing::HarnessBackend::kRocksdb
                                                  : testing::HarnessBackend::kHashmap;
  return settings;
}

}  // namespace

Scenario::Scenario(const json& scenario, Backend backend)
    : scenario_(scenario), harness_(settingsOf(scenario.at("operator"), backend)) {}

void Scenario::record(int subtask, json output) {
  output["after"] = event_;
  if (has_rescaled_) output["subtask"] = subtask;
  outputs_.push_back(std::move(output));
}

void Scenario::onEvent(const std::string& kind, std::function<void(const json&)> handler) {
  handlers_.emplace_back(kind, std::move(handler));
}

void Scenario::onControl(int subtask, const testing::ControlElement& control) {
  using Kind = testing::ControlElement::Kind;
  if (control.kind == Kind::kWatermark) {
    record(subtask, {{"kind", "watermark"}, {"ts", control.watermark_ms}});
  } else {
    record(subtask, {{"kind", "status"}, {"idle", control.kind == Kind::kIdle}});
  }
}

std::optional<std::string> Scenario::play() {
  harness_.open();
  for (const json& event : scenario_.at("events")) {
    ++event_;
    playEvent(event);
  }
  return compareOutputs(scenario_.at("output"), outputs_, scenario_.at("order"));
}

void Scenario::playEvent(const json& event) {
  const std::string kind = event.at("kind");
  for (const auto& [handled, handler] : handlers_) {
    if (handled == kind) return handler(event);
  }
  if (kind == "record") return playRecord(event);
  if (kind == "watermark") {
    return forInputs(event, [&](int input) { harness_.watermark(input, event.at("ts")); });
  }
  if (kind == "status") {
    return forInputs(event, [&](int input) { harness_.status(input, event.at("idle")); });
  }
  if (kind == "processingTime") return harness_.setProcessingTime(event.at("ts"));
  if (kind == "snapshotRestore") {
    return harness_.restore(harness_.snapshot(), harness_.parallelism());
  }
  if (kind == "rescale") {
    has_rescaled_ = true;
    return harness_.restore(harness_.snapshot(), event.at("parallelism"));
  }
  throw std::invalid_argument("events of kind " + kind + " are not known to this runner");
}

void Scenario::playRecord(const json& event) {
  const Input& input = inputs_.at(event.value("input", size_t{0}));
  const json& value = event.at("value");
  std::optional<int64_t> ts;
  if (event.contains("ts") && !event.at("ts").is_null()) ts = event.at("ts").get<int64_t>();
  if (input.routing == Routing::kBroadcast) {
    for (int subtask = 0; subtask < harness_.parallelism(); ++subtask) {
      input.process(subtask, value, ts);
    }
    return;
  }
  int subtask = 0;
  if (input.routing == Routing::kKeyed) {
    subtask = harness_.subtaskOf(value.at("k").get<std::string>());
  } else {
    subtask = event.value("subtask", 0) % harness_.parallelism();
  }
  input.process(subtask, value, ts);
}

void Scenario::forInputs(const json& event, const std::function<void(int input)>& f) {
  if (event.contains("input") && inputs_.size() > 1) return f(event.at("input"));
  for (size_t input = 0; input < inputs_.size(); ++input) f(static_cast<int>(input));
}

}  // namespace wiesel::conformance
