#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "common/serialization/describe.h"
#include "common/serialization/string_codec.h"
#include "common/serialization/type_serializer.h"

namespace wiesel {

template <>
struct Serializer<bool> {
  static constexpr int kFixedLength = 1;
  static void write(bool value, DataOutput& output) { output.writeBool(value); }
  static void read(bool& target, DataInput& input) { target = input.readBool(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::boolean(); }
  static int32_t hashCode(bool value) { return value ? 1231 : 1237; }
};

template <std::integral T>
struct Serializer<T> {
  static constexpr int kFixedLength = sizeof(T);

  static void write(T value, DataOutput& output) {
    if constexpr (sizeof(T) == 1) output.writeByte(static_cast<uint8_t>(value));
    if constexpr (sizeof(T) == 2) output.writeShort(static_cast<int16_t>(value));
    if constexpr (sizeof(T) == 4) output.writeInt(static_cast<int32_t>(value));
    if constexpr (sizeof(T) == 8) output.writeLong(static_cast<int64_t>(value));
  }

  static void read(T& target, DataInput& input) {
    if constexpr (sizeof(T) == 1) target = static_cast<T>(input.readByte());
    if constexpr (sizeof(T) == 2) target = static_cast<T>(input.readShort());
    if constexpr (sizeof(T) == 4) target = static_cast<T>(input.readInt());
    if constexpr (sizeof(T) == 8) target = static_cast<T>(input.readLong());
  }

  static SerializerSnapshot snapshot() {
    if constexpr (std::signed_integral<T>) {
      if constexpr (sizeof(T) == 1) return SerializerSnapshot::int8();
      if constexpr (sizeof(T) == 2) return SerializerSnapshot::int16();
      if constexpr (sizeof(T) == 4) return SerializerSnapshot::int32();
      if constexpr (sizeof(T) == 8) return SerializerSnapshot::int64();
    } else {
      if constexpr (sizeof(T) == 1) return SerializerSnapshot::wieselType("UnsignedByte");
      if constexpr (sizeof(T) == 2) return SerializerSnapshot::wieselType("UnsignedShort");
      if constexpr (sizeof(T) == 4) return SerializerSnapshot::wieselType("UnsignedInt");
      if constexpr (sizeof(T) == 8) return SerializerSnapshot::wieselType("UnsignedLong");
    }
  }

  static int32_t hashCode(T value) {
    if constexpr (sizeof(T) == 8) return internal::javaLongHash(static_cast<uint64_t>(value));
    return static_cast<int32_t>(value);
  }
};

template <>
struct Serializer<float> {
  static constexpr int kFixedLength = 4;
  static void write(float value, DataOutput& output) {
    output.writeFloat(value == value ? value : std::bit_cast<float>(kCanonicalNan));
  }
  static void read(float& target, DataInput& input) { target = input.readFloat(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::float32(); }
  static int32_t hashCode(float value) {
    return value == value ? std::bit_cast<int32_t>(value) : kCanonicalNan;
  }

 private:
  static constexpr int32_t kCanonicalNan = 0x7fc00000;  // All NaNs are stored alike, as in Java.
};

template <>
struct Serializer<double> {
  static constexpr int kFixedLength = 8;
  static void write(double value, DataOutput& output) {
    output.writeDouble(value == value ? value : std::bit_cast<double>(kCanonicalNan));
  }
  static void read(double& target, DataInput& input) { target = input.readDouble(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::float64(); }
  static int32_t hashCode(double value) {
    return internal::javaLongHash(value == value ? std::bit_cast<uint64_t>(value) : kCanonicalNan);
  }

 private:
  static constexpr uint64_t kCanonicalNan = 0x7ff8000000000000u;
};

template <>
struct Serializer<std::string> {
  static constexpr int kFixedLength = -1;
  static void write(const std::string& value, DataOutput& output) {
    internal::writeString(value, output);
  }
  static void read(std::string& target, DataInput& input) {
    if (!internal::readString(target, input)) [[unlikely]]
      internal::failNull("a string", input);
  }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::string(); }
  static int32_t hashCode(const std::string& value) { return internal::javaStringHash(value); }
};

template <class T>
requires std::is_enum_v<T>
struct Serializer<T> {
  using Integer = std::underlying_type_t<T>;
  static constexpr int kFixedLength = Serializer<Integer>::kFixedLength;
  static void write(T value, DataOutput& output) {
    Serializer<Integer>::write(static_cast<Integer>(value), output);
  }
  static void read(T& target, DataInput& input) {
    Integer integer{};
    Serializer<Integer>::read(integer, input);
    target = static_cast<T>(integer);
  }
  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::wieselType("Enum", {Serializer<Integer>::snapshot()},
                                          javaClassName<T>());
  }
  static int32_t hashCode(T value) {
    return Serializer<Integer>::hashCode(static_cast<Integer>(value));
  }
};

}  // namespace wiesel
