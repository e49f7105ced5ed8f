#include "tests/conformance/window_plays.h"

namespace wiesel::conformance {

void applyToKeyedGlobalWindows(Scenario& scenario, const DataStream<Record>& records) {
  const nlohmann::json& op = scenario.op();
  const nlohmann::json& assigner = op.at("assigner");
  const auto keyed = records.keyBy(&Record::k);
  const auto apply = [&](const auto& windows) { applyFunction(scenario, windows); };
  if (assigner.at("type") == "global") {
    return withSettings(op, keyed.window(GlobalWindows::create()), apply, apply);
  }
  if (!assigner.contains("slide")) return apply(keyed.countWindow(assigner.at("n")));
  apply(keyed.countWindow(assigner.at("n"), assigner.at("slide")));
}

}  // namespace wiesel::conformance
