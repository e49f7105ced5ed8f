#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wiesel::conformance {

/// Compares what a scenario put out with what was recorded: exactly and in order for each event and
/// subtask, but for what Flink leaves open. `order` is the scenario's: runs of outputs that timers
/// of one time give are compared by key, and some arrays as multisets. Labels of runs are only in
/// `expected`. Returns the first difference.
std::optional<std::string> compareOutputs(const nlohmann::json& expected,
                                          const std::vector<nlohmann::json>& got,
                                          const nlohmann::json& order);

}  // namespace wiesel::conformance
