#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace wiesel::checkpoint {

/// Plays one exactlyOnce scenario of the conformance family "barriers" to a BarrierAligner behind a
/// gate that obeys it; returns the first difference to what Flink recorded, if there is one.
std::optional<std::string> replayBarriers(const nlohmann::json& scenario);

}  // namespace wiesel::checkpoint
