#pragma once

#include <cstdint>

#include "common/serialization/serializer.h"

namespace wiesel::runtime {

/// A point in time at which an operator wants to be called for a key and namespace.
template <class K, class N>
struct Timer {
  int64_t timestamp_ms = 0;
  K key{};
  N ns{};

  bool operator==(const Timer&) const = default;
};

}  // namespace wiesel::runtime

namespace wiesel {

/// Flink: TimerSerializer (1.20). The sign bit is flipped, so that bytes sort as times do.
template <class K, class N>
struct Serializer<runtime::Timer<K, N>> {
  using T = runtime::Timer<K, N>;
  static constexpr int kFixedLength =
      Serializer<K>::kFixedLength < 0 || Serializer<N>::kFixedLength < 0
          ? -1
          : 8 + Serializer<K>::kFixedLength + Serializer<N>::kFixedLength;

  static int64_t flipSign(int64_t value) {
    return static_cast<int64_t>(static_cast<uint64_t>(value) ^ (uint64_t{1} << 63));
  }

  static void write(const T& timer, DataOutput& output) {
    output.writeLong(flipSign(timer.timestamp_ms));
    Serializer<K>::write(timer.key, output);
    Serializer<N>::write(timer.ns, output);
  }

  static void read(T& timer, DataInput& input) {
    timer.timestamp_ms = flipSign(input.readLong());
    Serializer<K>::read(timer.key, input);
    Serializer<N>::read(timer.ns, input);
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::timer(Serializer<K>::snapshot(), Serializer<N>::snapshot());
  }
};

}  // namespace wiesel
