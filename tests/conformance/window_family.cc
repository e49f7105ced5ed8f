#include "tests/conformance/families.h"
#include "tests/conformance/window_parts.h"

namespace wiesel::conformance {
namespace {

using nlohmann::json;

std::optional<std::string> replay(const json& line, Backend backend) {
  Scenario scenario(line, backend);
  const json& op = scenario.op();
  const bool keyed = op.at("keyed");
  const auto records =
      scenario.input<Record>(keyed ? Scenario::Routing::kKeyed : Scenario::Routing::kBySubtask);
  const std::string assigner = op.at("assigner").at("type");
  if (!keyed) {
    applyToAllWindows(scenario, records);
  } else if (assigner == "global" || assigner == "countWindow") {
    applyToKeyedGlobalWindows(scenario, records);
  } else {
    applyToKeyedTimeWindows(scenario, records);
  }
  return scenario.play();
}

}  // namespace

Family windowFamily() { return {.name = "window", .replay = replay, .keeps_state = true}; }

}  // namespace wiesel::conformance
