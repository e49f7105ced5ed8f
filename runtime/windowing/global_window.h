#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

#include "common/serialization/serializer.h"
#include "state/heap/key_hash.h"

namespace wiesel {

/// The one window of a key that holds all of its records and never ends.
/// Flink: GlobalWindow (1.20).
struct GlobalWindow {
  static GlobalWindow get() { return {}; }

  int64_t maxTimestamp() const { return std::numeric_limits<int64_t>::max(); }

  auto operator<=>(const GlobalWindow&) const = default;
};

/// One zero byte, which Flink counts as no length at all. Flink: GlobalWindow.Serializer (1.20).
template <>
struct Serializer<GlobalWindow> {
  static constexpr int kFixedLength = 0;
  static void write(GlobalWindow, DataOutput& output) { output.writeByte(0); }
  static void read(GlobalWindow&, DataInput& input) { input.readByte(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::globalWindow(); }
};

}  // namespace wiesel

namespace wiesel::state::internal {

template <>
struct KeyHash<GlobalWindow> {
  static uint64_t of(const GlobalWindow&) { return 0; }
};

}  // namespace wiesel::state::internal
