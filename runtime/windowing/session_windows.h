#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/windowing/time_window.h"
#include "runtime/windowing/triggers.h"
#include "runtime/windowing/window_assigners.h"

// Windows that last as long as records follow each other within a gap.
// Errors: std::invalid_argument for a gap that is not positive.

namespace wiesel {

namespace internal {

/// Joins the windows that intersect. Flink: TimeWindow.mergeWindows (1.20).
inline std::vector<WindowMerge<TimeWindow>> mergeTimeWindows(std::vector<TimeWindow> windows) {
  std::ranges::sort(windows);
  std::vector<WindowMerge<TimeWindow>> merges;
  for (const TimeWindow& window : windows) {
    if (merges.empty() || !merges.back().result.intersects(window)) {
      merges.push_back({{window}, window});
      continue;
    }
    WindowMerge<TimeWindow>& merge = merges.back();
    merge.result = merge.result.cover(window);
    if (merge.merged.back() != window) merge.merged.push_back(window);
  }
  std::erase_if(merges, [](const auto& merge) { return merge.merged.size() < 2; });
  return merges;
}

/// A gap that is the same for all records.
struct StaticGap {
  int64_t gap_ms;
  template <class T>
  int64_t of(const T&) const {
    return gap_ms;
  }
  std::string toString() const { return std::to_string(gap_ms); }
};

/// A gap that a function takes from each record.
template <class Extractor>
struct DynamicGap {
  Extractor extractor;

  template <class T>
  int64_t of(const T& element) const {
    const std::chrono::milliseconds gap = extractor(element);
    if (gap.count() > 0) return gap.count();
    throw std::invalid_argument("the gap of a session must be above 0, a record gave " +
                                std::to_string(gap.count()) + " ms");
  }
  std::string toString() const { return ""; }
};

inline StaticGap staticGap(std::chrono::milliseconds gap) {
  if (gap.count() > 0) return {gap.count()};
  throw std::invalid_argument("session windows need a gap above 0, got " +
                              std::to_string(gap.count()) + " ms");
}

template <class Gap>
class EventTimeSessions {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = true;
  static constexpr bool kMerges = true;

  explicit EventTimeSessions(Gap gap) : gap_(std::move(gap)) {}

  template <class T>
  void assignWindows(const T& element, int64_t timestamp_ms, WindowAssignerContext&,
                     std::vector<TimeWindow>& windows) const {
    if (timestamp_ms == kNoTimestamp) failWithoutTimestamp();
    windows.push_back({timestamp_ms, timestamp_ms + gap_.of(element)});
  }
  std::vector<WindowMerge<TimeWindow>> mergeWindows(std::vector<TimeWindow> windows) const {
    return mergeTimeWindows(std::move(windows));
  }
  EventTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return "EventTimeSessionWindows(" + gap_.toString() + ")"; }

 private:
  Gap gap_;
};

template <class Gap>
class ProcessingTimeSessions {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = false;
  static constexpr bool kMerges = true;

  explicit ProcessingTimeSessions(Gap gap) : gap_(std::move(gap)) {}

  template <class T>
  void assignWindows(const T& element, int64_t, WindowAssignerContext& context,
                     std::vector<TimeWindow>& windows) const {
    const int64_t now_ms = context.getCurrentProcessingTime();
    windows.push_back({now_ms, now_ms + gap_.of(element)});
  }
  std::vector<WindowMerge<TimeWindow>> mergeWindows(std::vector<TimeWindow> windows) const {
    return mergeTimeWindows(std::move(windows));
  }
  ProcessingTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return "ProcessingTimeSessionWindows(" + gap_.toString() + ")"; }

 private:
  Gap gap_;
};

}  // namespace internal

/// Sessions by event time; ones that only touch become one.
/// Flink: EventTimeSessionWindows, DynamicEventTimeSessionWindows (1.20).
struct EventTimeSessionWindows {
  static internal::EventTimeSessions<internal::StaticGap> withGap(std::chrono::milliseconds gap) {
    return internal::EventTimeSessions(internal::staticGap(gap));
  }
  /// `extractor(const T&) -> std::chrono::milliseconds` gives the gap behind a record. One copy of
  /// it serves all subtasks of a process.
  template <class Extractor>
  static internal::EventTimeSessions<internal::DynamicGap<Extractor>> withDynamicGap(
      Extractor extractor) {
    return internal::EventTimeSessions(internal::DynamicGap<Extractor>{std::move(extractor)});
  }
};

/// Sessions by the clock of the machine.
/// Flink: ProcessingTimeSessionWindows, DynamicProcessingTimeSessionWindows (1.20).
struct ProcessingTimeSessionWindows {
  static internal::ProcessingTimeSessions<internal::StaticGap> withGap(
      std::chrono::milliseconds gap) {
    return internal::ProcessingTimeSessions(internal::staticGap(gap));
  }
  /// As EventTimeSessionWindows::withDynamicGap().
  template <class Extractor>
  static internal::ProcessingTimeSessions<internal::DynamicGap<Extractor>> withDynamicGap(
      Extractor extractor) {
    return internal::ProcessingTimeSessions(internal::DynamicGap<Extractor>{std::move(extractor)});
  }
};

}  // namespace wiesel
