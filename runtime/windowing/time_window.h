#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "common/serialization/serializer.h"

namespace wiesel {

/// The events of [start, end), in milliseconds since the epoch. Flink: TimeWindow (1.20).
struct TimeWindow {
  int64_t start_ms = 0;
  int64_t end_ms = 0;

  int64_t getStart() const { return start_ms; }
  int64_t getEnd() const { return end_ms; }
  /// The largest timestamp that is in the window.
  int64_t maxTimestamp() const { return end_ms - 1; }

  /// Also true of windows that only touch: what ends at 5 intersects what begins at 5.
  bool intersects(const TimeWindow& other) const {
    return start_ms <= other.end_ms && end_ms >= other.start_ms;
  }
  /// The smallest window that holds both.
  TimeWindow cover(const TimeWindow& other) const {
    return {std::min(start_ms, other.start_ms), std::max(end_ms, other.end_ms)};
  }

  auto operator<=>(const TimeWindow&) const = default;

  /// Where the window begins that holds `timestamp_ms` when windows of `size_ms` follow each other
  /// from `offset_ms` on.
  static int64_t startOf(int64_t timestamp_ms, int64_t offset_ms, int64_t size_ms) {
    const int64_t remainder = (timestamp_ms - offset_ms) % size_ms;
    return timestamp_ms - (remainder < 0 ? remainder + size_ms : remainder);
  }
};

/// Flink: TimeWindow.Serializer (1.20).
template <>
struct Serializer<TimeWindow> {
  static constexpr int kFixedLength = 16;
  static void write(const TimeWindow& window, DataOutput& output) {
    output.writeLong(window.start_ms);
    output.writeLong(window.end_ms);
  }
  static void read(TimeWindow& window, DataInput& input) {
    window.start_ms = input.readLong();
    window.end_ms = input.readLong();
  }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::timeWindow(); }
};

}  // namespace wiesel

namespace wiesel::state::internal {

template <class T>
struct KeyHash;

template <>
struct KeyHash<TimeWindow> {
  static uint64_t of(const TimeWindow& window) {
    return static_cast<uint64_t>(window.start_ms) * 31 + static_cast<uint64_t>(window.end_ms);
  }
};

}  // namespace wiesel::state::internal
