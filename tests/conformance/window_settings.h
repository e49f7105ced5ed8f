#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "api/keyed_stream.h"
#include "tests/conformance/records.h"

// Assigners, triggers and evictors as the scenarios describe them. T is a Record, or what a join
// makes of two.

namespace wiesel::conformance {

inline std::chrono::milliseconds millisecondsAt(const nlohmann::json& json, const char* field) {
  return std::chrono::milliseconds(json.at(field).get<int64_t>());
}

inline TumblingEventTimeWindows tumblingEventTime(const nlohmann::json& assigner) {
  return TumblingEventTimeWindows::of(millisecondsAt(assigner, "size"),
                                      millisecondsAt(assigner, "offset"));
}

/// For windows of time.
template <class T>
std::shared_ptr<const WindowAssigner<T, TimeWindow>> timeAssignerOf(const nlohmann::json& json) {
  const std::string type = json.at("type");
  const auto share = [](auto assigner) { return internal::shareAssigner<T>(std::move(assigner)); };
  if (type == "tumblingEventTime") return share(tumblingEventTime(json));
  if (type == "tumblingProcessingTime") {
    return share(TumblingProcessingTimeWindows::of(millisecondsAt(json, "size"),
                                                   millisecondsAt(json, "offset")));
  }
  if (type == "slidingEventTime") {
    return share(SlidingEventTimeWindows::of(millisecondsAt(json, "size"),
                                             millisecondsAt(json, "slide"),
                                             millisecondsAt(json, "offset")));
  }
  if (type == "slidingProcessingTime") {
    return share(SlidingProcessingTimeWindows::of(millisecondsAt(json, "size"),
                                                  millisecondsAt(json, "slide"),
                                                  millisecondsAt(json, "offset")));
  }
  if (type == "sessionEventTime") {
    return share(EventTimeSessionWindows::withGap(millisecondsAt(json, "gap")));
  }
  if (type == "sessionProcessingTime") {
    return share(ProcessingTimeSessionWindows::withGap(millisecondsAt(json, "gap")));
  }
  if constexpr (std::is_same_v<T, Record>) {
    const auto gap = [](const Record& record) { return std::chrono::milliseconds(record.v); };
    if (type == "sessionEventTimeDynamic") {
      return share(EventTimeSessionWindows::withDynamicGap(gap));
    }
    if (type == "sessionProcessingTimeDynamic") {
      return share(ProcessingTimeSessionWindows::withDynamicGap(gap));
    }
  }
  throw std::invalid_argument("the assigner " + type + " is not known to this runner");
}

/// The recorder's distance of two records.
inline double distance(const Record& older, const Record& newer) { return newer.v - older.v; }

template <class T, class W>
AnyTrigger<T, W> triggerOf(const nlohmann::json& json, const AnyTrigger<T, W>& default_trigger) {
  const std::string type = json.at("type");
  if (type == "default") return default_trigger;
  if (type == "eventTime") return EventTimeTrigger::create();
  if (type == "processingTime") return ProcessingTimeTrigger::create();
  if (type == "count") return CountTrigger::of(json.at("n"));
  if (type == "purging") return PurgingTrigger::of(triggerOf(json.at("of"), default_trigger));
  if (type == "continuousEventTime") {
    return ContinuousEventTimeTrigger::of(millisecondsAt(json, "interval"));
  }
  if (type == "continuousProcessingTime") {
    return ContinuousProcessingTimeTrigger::of(millisecondsAt(json, "interval"));
  }
  if (type == "processingTimeout") {
    return ProcessingTimeoutTrigger::of(
        triggerOf(json.at("of"), default_trigger), millisecondsAt(json, "timeout"),
        json.at("resetTimerOnNewRecord"), json.at("shouldClearOnTimeout"));
  }
  if constexpr (std::is_same_v<T, Record>) {
    if (type == "delta") return DeltaTrigger::of(json.at("threshold").get<double>(), &distance);
  }
  throw std::invalid_argument("the trigger " + type + " is not known to this runner");
}

template <class W>
AnyEvictor<Record, W> evictorOf(const nlohmann::json& json) {
  const std::string type = json.at("type");
  const bool after = json.at("doEvictAfter");
  if (type == "count") return CountEvictor::of(json.at("n"), after);
  if (type == "time") return TimeEvictor::of(millisecondsAt(json, "size"), after);
  if (type == "delta") {
    return DeltaEvictor::of(json.at("threshold").get<double>(), &distance, after);
  }
  throw std::invalid_argument("the evictor " + type + " is not known to this runner");
}

/// What the recorder's window functions report.
struct ReportSettings {
  bool merges = false;          // No state of windows.
  bool shows_clock = false;     // Of windows by processing time.
  bool counts_per_key = false;  // Not where windows of a key can fire at one time.
};

inline ReportSettings reportSettings(const nlohmann::json& op) {
  const std::string assigner = op.at("assigner").at("type");
  const std::string trigger = op.at("trigger").dump();
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const bool fires_together = has(trigger, "continuous") || has(trigger, "processingTimeout");
  return {.merges = assigner.starts_with("session"),
          .shows_clock = has(assigner, "ProcessingTime"),
          .counts_per_key = assigner == "global" || !fires_together};
}

}  // namespace wiesel::conformance
