#pragma once

#include "tests/conformance/window_functions.h"
#include "tests/conformance/window_parts.h"

namespace wiesel::conformance {

/// The windows with what the scenario says besides assigner and function, handed to `apply` or,
/// with an evictor, to `apply_evicting`.
template <class Windows, class Apply, class ApplyEvicting>
void withSettings(const nlohmann::json& op, const Windows& windows, Apply apply,
                  ApplyEvicting apply_evicting) {
  using W = typename std::decay_t<decltype(windows.node().windowing)>::Window;
  auto general = windows.allowedLateness(millisecondsAt(op, "allowedLateness"));
  if (!op.at("lateTag").is_null()) {
    general = general.sideOutputLateData(OutputTag<Record>(op.at("lateTag")));
  }
  const auto& settings = general.node().windowing.settings;
  general = general.trigger(triggerOf(op.at("trigger"), settings.assigner->getDefaultTrigger()));
  if (op.at("evictor").is_null()) {
    apply(general);
  } else {
    apply_evicting(general.evictor(evictorOf<W>(op.at("evictor"))));
  }
}

/// Whether the scenario has the windows that have an operator of their own.
inline bool isPlainTumbling(const nlohmann::json& op) {
  return op.at("assigner").at("type") == "tumblingEventTime" &&
         op.at("trigger").at("type") == "default" && op.at("evictor").is_null() &&
         op.at("allowedLateness") == 0;
}

/// The same for TumblingEventTimeWindows with nothing but a late output.
template <class Windows>
auto withLateOutput(const nlohmann::json& op, const Windows& windows) {
  if (op.at("lateTag").is_null()) return windows;
  return windows.sideOutputLateData(OutputTag<Record>(op.at("lateTag")));
}

}  // namespace wiesel::conformance
