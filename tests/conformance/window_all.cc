#include "tests/conformance/window_plays.h"

namespace wiesel::conformance {
namespace {

/// The functions that the recorder applies to whole streams.
template <class Windows>
void applyToAll(Scenario& scenario, const Windows& windows) {
  using W = typename std::decay_t<decltype(windows.node().windowing)>::Window;
  if (applyReports(scenario, windows)) return;
  const std::string function = scenario.op().at("function");
  if (function == "reduce") {
    listenToWindows(scenario, windows.reduce(reduceRecords), false);
  } else if (function == "reduceProcess") {
    const ReportAllWindow<Record, W> report({});
    listenToWindows(scenario, windows.reduce(reduceRecords, report), false);
  } else {
    throw std::invalid_argument("the function " + function + " is not known to this runner");
  }
}

}  // namespace

void applyToAllWindows(Scenario& scenario, const DataStream<Record>& records) {
  const nlohmann::json& op = scenario.op();
  const nlohmann::json& assigner = op.at("assigner");
  const std::string type = assigner.at("type");
  const auto apply = [&](const auto& windows) { applyToAll(scenario, windows); };
  if (type == "global") {
    withSettings(op, records.windowAll(GlobalWindows::create()), apply, apply);
  } else if (type == "countWindow" && assigner.contains("slide")) {
    apply(records.countWindowAll(assigner.at("n"), assigner.at("slide")));
  } else if (type == "countWindow") {
    apply(records.countWindowAll(assigner.at("n")));
  } else if (isPlainTumbling(op)) {
    apply(withLateOutput(op, records.windowAll(tumblingEventTime(assigner))));
  } else {
    withSettings(op, records.windowAll(timeAssignerOf<Record>(assigner)), apply, apply);
  }
}

}  // namespace wiesel::conformance
