#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/exceptions.h"
#include "api/stream_handle.h"
#include "api/window_functions.h"
#include "runtime/functions/output_tag.h"
#include "runtime/windowing/tumbling_window_operator.h"
#include "runtime/windowing/window_contents.h"
#include "runtime/windowing/window_operator.h"

// What is said about windows between window() and the window's function, and the operator that it
// takes. Which of the three it is, the compiler knows, so that each function is compiled for one
// operator.

namespace wiesel::internal {

/// Any assigner and trigger.
template <class T, class W>
struct GeneralWindowing {
  using Window = W;
  static constexpr bool kEvicts = false;

  runtime::WindowSettings<T, W> settings;
  std::optional<OutputTag<T>> late_tag;

  GeneralWindowing general() const { return *this; }
  bool isEventTime() const { return settings.assigner->isEventTime(); }
  std::string describe() const {
    return settings.assigner->toString() + ", " + settings.trigger.name();
  }

  template <class Out, class K, class KeySelector, class Contents, class Function>
  auto makeOperator(const KeySelector& key_selector, Contents contents, Function function) const {
    return std::make_unique<runtime::WindowOperator<T, Out, K, W, KeySelector, Contents, Function>>(
        key_selector, settings, late_tag, std::move(contents), std::move(function));
  }
};

/// Any assigner and trigger, and an evictor.
template <class T, class W>
struct EvictingWindowing : GeneralWindowing<T, W> {
  static constexpr bool kEvicts = true;

  AnyEvictor<T, W> evictor;

  EvictingWindowing general() const { return *this; }
  std::string describe() const {
    return GeneralWindowing<T, W>::describe() + ", " + evictor.name();
  }
};

/// Tumbling event-time windows with their trigger and no allowed lateness: nothing else has been
/// said.
template <class T>
struct TumblingWindowing {
  using Window = TimeWindow;
  static constexpr bool kEvicts = false;

  TumblingEventTimeWindows assigner;
  std::optional<OutputTag<T>> late_tag;

  GeneralWindowing<T, TimeWindow> general() const {
    return {{shareAssigner<T>(assigner), assigner.getDefaultTrigger()}, late_tag};
  }
  bool isEventTime() const { return true; }
  std::string describe() const { return assigner.toString() + ", EventTimeTrigger"; }

  template <class Out, class K, class KeySelector, class Contents, class Function>
  auto makeOperator(const KeySelector& key_selector, Contents contents, Function function) const {
    return std::make_unique<
        runtime::TumblingWindowOperator<T, Out, K, KeySelector, Contents, Function>>(
        key_selector, assigner, late_tag, std::move(contents), std::move(function));
  }
};

template <class T, class W>
GeneralWindowing<T, W> windowingOf(std::shared_ptr<const WindowAssigner<T, W>> assigner) {
  AnyTrigger<T, W> trigger = assigner->getDefaultTrigger();
  return {{std::move(assigner), std::move(trigger)}, std::nullopt};
}
template <class T, class Assigner>
auto windowingOf(Assigner assigner) {
  if constexpr (std::is_same_v<Assigner, TumblingEventTimeWindows>) {
    return TumblingWindowing<T>{assigner, std::nullopt};
  } else {
    return windowingOf<T, typename Assigner::Window>(shareAssigner<T>(std::move(assigner)));
  }
}

/// The same windows with another trigger. Throws InvalidProgramException for one that cannot merge
/// with windows that do.
template <class T, class Windowing, class W = typename Windowing::Window>
auto withTrigger(const Windowing& windowing, AnyTrigger<T, W> trigger) {
  auto changed = windowing.general();
  if (changed.settings.assigner->merges() && !trigger.canMerge()) {
    throw InvalidProgramException(
        "trigger(): windows of " + changed.settings.assigner->toString() + " merge, which " +
        trigger.name() +
        " does not support: use another trigger, or give it canMerge() and onMerge()");
  }
  changed.settings.trigger = std::move(trigger);
  return changed;
}

template <class T, class Windowing, class W = typename Windowing::Window>
EvictingWindowing<T, W> withEvictor(const Windowing& windowing, AnyEvictor<T, W> evictor) {
  auto general = windowing.general();
  return {{std::move(general.settings), std::move(general.late_tag)}, std::move(evictor)};
}

template <class Windowing>
auto withAllowedLateness(const Windowing& windowing, std::chrono::milliseconds lateness) {
  if (lateness.count() < 0) {
    throw InvalidProgramException("allowedLateness(): it cannot be negative, got " +
                                  std::to_string(lateness.count()) + " ms");
  }
  auto changed = windowing.general();
  changed.settings.allowed_lateness_ms = lateness.count();
  return changed;
}

}  // namespace wiesel::internal
