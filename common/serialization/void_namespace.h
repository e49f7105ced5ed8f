#pragma once

#include <cstdint>
#include <variant>

#include "common/serialization/serializer.h"

namespace wiesel {

/// The namespace of keyed state outside of windows. Flink: VoidNamespace (1.20).
using VoidNamespace = std::monostate;

/// One zero byte, which Flink counts as no length at all.
template <>
struct Serializer<VoidNamespace> {
  static constexpr int kFixedLength = 0;
  static void write(VoidNamespace, DataOutput& output) { output.writeByte(0); }
  static void read(VoidNamespace&, DataInput& input) { input.readByte(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::voidNamespace(); }
  static int32_t hashCode(VoidNamespace) { return 99; }
};

}  // namespace wiesel
