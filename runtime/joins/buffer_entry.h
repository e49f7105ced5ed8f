#pragma once

#include <utility>

#include "common/serialization/serializer.h"

namespace wiesel {

namespace runtime {

/// A record that waits in an interval join for records of the other side. Flink stores a flag with
/// it which is always false.
/// Flink: IntervalJoinOperator.BufferEntry (1.20).
template <class T>
struct BufferEntry {
  T element{};
  bool has_been_joined = false;
};

}  // namespace runtime

template <Serializable T>
struct Serializer<runtime::BufferEntry<T>> {
  using Entry = runtime::BufferEntry<T>;
  static constexpr int kFixedLength = -1;

  static void write(const Entry& entry, DataOutput& output) {
    output.writeBool(entry.has_been_joined);
    Serializer<T>::write(entry.element, output);
  }

  static void read(Entry& entry, DataInput& input) {
    entry.has_been_joined = input.readBool();
    Serializer<T>::read(entry.element, input);
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::bufferEntry(Serializer<T>::snapshot());
  }
};

}  // namespace wiesel
