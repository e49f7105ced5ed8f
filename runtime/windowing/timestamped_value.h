#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "common/serialization/serializer.h"

namespace wiesel {

/// A record and its timestamp, as windows with an evictor keep them.
/// Flink: StreamRecord, TimestampedValue (1.20).
template <class T>
class TimestampedValue {
 public:
  /// The timestamp of a record that has none.
  static constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

  TimestampedValue() = default;
  TimestampedValue(T value, int64_t timestamp_ms)
      : value_(std::move(value)), timestamp_ms_(timestamp_ms) {}

  const T& getValue() const { return value_; }
  T& getValue() { return value_; }
  /// kNoTimestamp if there is none.
  int64_t getTimestamp() const { return timestamp_ms_; }
  bool hasTimestamp() const { return timestamp_ms_ != kNoTimestamp; }

 private:
  T value_{};
  int64_t timestamp_ms_ = kNoTimestamp;
};

/// A byte that says whether a timestamp follows (0) or not (1), the timestamp, the value.
/// Flink: StreamElementSerializer (1.20).
template <class T>
struct Serializer<TimestampedValue<T>> {
  static constexpr int kFixedLength = -1;

  static void write(const TimestampedValue<T>& record, DataOutput& output) {
    output.writeByte(record.hasTimestamp() ? kWithTimestamp : kWithoutTimestamp);
    if (record.hasTimestamp()) output.writeLong(record.getTimestamp());
    Serializer<T>::write(record.getValue(), output);
  }

  static void read(TimestampedValue<T>& record, DataInput& input) {
    const uint8_t tag = input.readByte();
    if (tag != kWithTimestamp && tag != kWithoutTimestamp) {
      return input.fail("a record of a window begins with neither 0 nor 1");
    }
    const int64_t timestamp_ms =
        tag == kWithTimestamp ? input.readLong() : TimestampedValue<T>::kNoTimestamp;
    T value{};
    Serializer<T>::read(value, input);
    record = TimestampedValue<T>(std::move(value), timestamp_ms);
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::streamElement(Serializer<T>::snapshot());
  }

 private:
  static constexpr uint8_t kWithTimestamp = 0;
  static constexpr uint8_t kWithoutTimestamp = 1;
};

}  // namespace wiesel
