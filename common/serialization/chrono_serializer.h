#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/serialization/serializer.h"

namespace wiesel {

/// `wiesel.Duration`: the number of ticks; the snapshot tells the length of a tick in seconds, so
/// that state is never read in another unit. Hashes as the number.
template <class Ticks, class Period>
struct Serializer<std::chrono::duration<Ticks, Period>> {
  using Duration = std::chrono::duration<Ticks, Period>;
  static constexpr int kFixedLength = Serializer<Ticks>::kFixedLength;

  static void write(const Duration& value, DataOutput& output) {
    Serializer<Ticks>::write(value.count(), output);
  }
  static void read(Duration& target, DataInput& input) {
    Ticks ticks{};
    Serializer<Ticks>::read(ticks, input);
    target = Duration(ticks);
  }
  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::wieselType(
        "Duration", {Serializer<Ticks>::snapshot()},
        "Duration:" + std::to_string(Period::num) + "/" + std::to_string(Period::den));
  }
  static int32_t hashCode(const Duration& value) {
    return Serializer<Ticks>::hashCode(value.count());
  }
};

/// `wiesel.Instant`: the duration since 1970-01-01 00:00 UTC.
template <class Duration>
struct Serializer<std::chrono::time_point<std::chrono::system_clock, Duration>> {
  using Instant = std::chrono::time_point<std::chrono::system_clock, Duration>;
  static constexpr int kFixedLength = Serializer<Duration>::kFixedLength;

  static void write(const Instant& value, DataOutput& output) {
    Serializer<Duration>::write(value.time_since_epoch(), output);
  }
  static void read(Instant& target, DataInput& input) {
    Duration since_epoch{};
    Serializer<Duration>::read(since_epoch, input);
    target = Instant(since_epoch);
  }
  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::wieselType("Instant", {Serializer<Duration>::snapshot()});
  }
  static int32_t hashCode(const Instant& value) {
    return Serializer<Duration>::hashCode(value.time_since_epoch());
  }
};

}  // namespace wiesel
