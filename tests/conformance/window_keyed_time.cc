#include "tests/conformance/window_plays.h"

namespace wiesel::conformance {

void applyToKeyedTimeWindows(Scenario& scenario, const DataStream<Record>& records) {
  const nlohmann::json& op = scenario.op();
  const auto keyed = records.keyBy(&Record::k);
  if (isPlainTumbling(op)) {
    const auto windows = keyed.window(tumblingEventTime(op.at("assigner")));
    return applyFunction(scenario, withLateOutput(op, windows));
  }
  withSettings(
      op, keyed.window(timeAssignerOf<Record>(op.at("assigner"))),
      [&](const auto& windows) { applyFunction(scenario, windows); },
      [&](const auto& windows) {
        if (applyReports(scenario, windows)) return;
        throw std::invalid_argument("evictors come with reports only: " + op.dump());
      });
}

}  // namespace wiesel::conformance
