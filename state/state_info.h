#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/serialization/serializer_snapshot.h"

namespace wiesel::state {

enum class StateKind : uint8_t { kValue, kList, kMap, kReducing, kAggregating, kTimers };

/// Flink's word for a kind in the option KEYED_STATE_TYPE. Not for kTimers, which has no such
/// option.
constexpr std::string_view stateTypeName(StateKind kind) {
  switch (kind) {
    case StateKind::kValue:
      return "VALUE";
    case StateKind::kList:
      return "LIST";
    case StateKind::kMap:
      return "MAP";
    case StateKind::kReducing:
      return "REDUCING";
    case StateKind::kAggregating:
      return "AGGREGATING";
    case StateKind::kTimers:
      return "TIMERS";
  }
  return "";
}

/// What a snapshot says about one keyed state: its name, kind and the types of its parts.
/// Flink: StateMetaInfoSnapshot (1.20).
struct StateInfo {
  std::string name;
  StateKind kind = StateKind::kValue;
  SerializerSnapshot namespace_serializer;  // Unused for kTimers.
  SerializerSnapshot value_serializer;      // For kTimers: the timer's.
};

}  // namespace wiesel::state
