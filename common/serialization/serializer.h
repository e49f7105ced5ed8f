#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/describe.h"
#include "common/serialization/serializer_snapshot.h"
#include "common/serialization/string_codec.h"

namespace wiesel {

/// Turns values of T into bytes and back, in the format of Flink's serializer for the twin type:
///
///   bool, int8_t .. int64_t      Boolean, Byte, Short, Integer, Long (any integer type, by size)
///   float, double, std::string   Float, Double, String (see string_codec.h for bytes and UTF-8)
///   std::vector                  List
///   std::map, unordered_map      Map; std::optional values are nullable values
///   std::pair, std::tuple        Tuple2, TupleN (1 to 25 elements)
///   described structs            POJO; std::optional fields are nullable fields
///   std::optional<T>             T for std::string and described structs, which have a null of
///                                their own; else `wiesel.Optional`
///   unsigned integers, enums     `wiesel.UnsignedInt` and so on, `wiesel.Enum`
///
/// More are in void_namespace.h, tagged_union.h, variant_serializer.h. A type of one's own is added
/// by a specialization with the same members:
///
///   static constexpr int kFixedLength;    bytes of every value, -1 if they vary; Flink's numbers,
///                                         they decide the key layout of keyed state
///   static void write(const T&, DataOutput&);
///   static void read(T&, DataInput&);     overwrites the target; after a failure of the input its
///                                         value is unspecified, and memory taken is in proportion
///                                         to the input
///   static SerializerSnapshot snapshot(); depends on the type only
///   static int32_t hashCode(const T&);    Java's hashCode of the twin, which chooses the key group
///
/// Hashes: null is 0. Unsigned integers hash as the Integer or Long with the same bits, enums as
/// their integers, described structs as Objects.hash over the fields in the order of
/// WIESEL_DESCRIBE. Maps of both kinds hash alike, whatever their order.
///
/// Errors: reading null into something that is no std::optional is a failure of the input.
/// Flink:  TypeSerializer (1.20).
template <class T>
struct Serializer;

template <class T>
concept Serializable = requires(const T& value, T& target, DataOutput& output, DataInput& input) {
  { Serializer<T>::kFixedLength } -> std::convertible_to<int>;
  Serializer<T>::write(value, output);
  Serializer<T>::read(target, input);
  { Serializer<T>::snapshot() } -> std::same_as<SerializerSnapshot>;
};

/// What keyBy() accepts.
template <class T>
concept SerializableKey = Serializable<T> && requires(const T& value) {
  { Serializer<T>::hashCode(value) } -> std::same_as<int32_t>;
};

namespace internal {

inline constexpr int32_t javaLongHash(uint64_t bits) {
  return static_cast<int32_t>(static_cast<uint32_t>(bits ^ (bits >> 32)));
}

/// 31 * hash + next in Java's wrapping arithmetic.
inline constexpr int32_t combineHash(int32_t hash, int32_t next) {
  return static_cast<int32_t>(31u * static_cast<uint32_t>(hash) + static_cast<uint32_t>(next));
}

/// Fails as a null that the C++ type cannot hold; `what` says which type or field.
void failNull(std::string_view what, DataInput& input);
/// Reads the flags of a POJO; false for null. Fails for subclasses.
bool readPojoFlags(std::string_view type_name, DataInput& input);

/// How many elements of a list or map to make room for at once.
template <class T>
size_t roomFor(int32_t count) {
  constexpr int32_t kMostOfVaryingLength = 1024;
  constexpr bool kBoundedByInput = Serializer<T>::kFixedLength > 0;
  return static_cast<size_t>(kBoundedByInput ? count : std::min(count, kMostOfVaryingLength));
}

template <class T>
inline constexpr size_t kMinLength = Serializer<T>::kFixedLength > 0
                                         ? static_cast<size_t>(Serializer<T>::kFixedLength)
                                         : 1;

}  // namespace internal

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
  static void write(float value, DataOutput& output) { output.writeFloat(value); }
  static void read(float& target, DataInput& input) { target = input.readFloat(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::float32(); }
  static int32_t hashCode(float value) {
    return value != value ? 0x7fc00000 : std::bit_cast<int32_t>(value);  // All NaNs alike.
  }
};

template <>
struct Serializer<double> {
  static constexpr int kFixedLength = 8;
  static void write(double value, DataOutput& output) { output.writeDouble(value); }
  static void read(double& target, DataInput& input) { target = input.readDouble(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::float64(); }
  static int32_t hashCode(double value) {
    constexpr uint64_t kCanonicalNan = 0x7ff8000000000000u;
    return internal::javaLongHash(value != value ? kCanonicalNan : std::bit_cast<uint64_t>(value));
  }
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

/// A value with a flag before it that says whether it is null: a POJO's field, a map's value. A
/// std::optional<T> is null when empty and otherwise written as T, any other T is never null. The
/// snapshot is that of T without the optional.
template <class T>
struct NullableSerializer {
  using Value = T;

  static void write(const T& value, DataOutput& output) {
    output.writeBool(false);
    Serializer<T>::write(value, output);
  }
  static void read(T& target, DataInput& input, std::string_view what) {
    if (input.readBool()) return internal::failNull(what, input);
    Serializer<T>::read(target, input);
  }
  static SerializerSnapshot snapshot() { return Serializer<T>::snapshot(); }
};

template <class T>
struct NullableSerializer<std::optional<T>> {
  using Value = T;

  static void write(const std::optional<T>& value, DataOutput& output) {
    output.writeBool(!value.has_value());
    if (value.has_value()) Serializer<T>::write(*value, output);
  }
  static void read(std::optional<T>& target, DataInput& input, std::string_view) {
    if (input.readBool()) return target.reset();
    Serializer<T>::read(target.emplace(), input);
  }
  static SerializerSnapshot snapshot() { return Serializer<T>::snapshot(); }
};

template <Described T>
struct Serializer<T> {
  static constexpr int kFixedLength = -1;

  static void write(const T& value, DataOutput& output) {
    output.writeByte(kExactClass);
    forEachFieldSorted(value, [&output]<class Field>(std::string_view, const Field& field) {
      static_assert(Serializable<Field>,
                    "a field of this described struct has a type that cannot be serialized: "
                    "describe that type too, or specialize wiesel::Serializer for it");
      NullableSerializer<Field>::write(field, output);
    });
  }

  static void read(T& target, DataInput& input) {
    if (!internal::readPojoFlags(shortTypeName<T>(), input)) {
      return internal::failNull(shortTypeName<T>(), input);
    }
    readFields(target, input);
  }

  static SerializerSnapshot snapshot() {
    std::vector<std::string> names;
    std::vector<SerializerSnapshot> serializers;
    forEachFieldTypeSorted<T>([&]<class Field>(std::string_view name, std::type_identity<Field>) {
      names.emplace_back(name);
      serializers.push_back(NullableSerializer<Field>::snapshot());
    });
    return SerializerSnapshot::pojo(javaClassName<T>(), std::move(names), std::move(serializers));
  }

  static int32_t hashCode(const T& value) {
    int32_t hash = 1;
    forEachField(value, [&hash]<class Field>(std::string_view, const Field& field) {
      hash = internal::combineHash(hash, Serializer<Field>::hashCode(field));
    });
    return hash;
  }

 private:
  friend struct Serializer<std::optional<T>>;

  static constexpr uint8_t kNull = 1;
  static constexpr uint8_t kExactClass = 2;

  static void readFields(T& target, DataInput& input) {
    forEachFieldSorted(target, [&input]<class Field>(std::string_view name, Field& field) {
      NullableSerializer<Field>::read(field, input, name);
    });
  }
};

template <Serializable T>
struct Serializer<std::optional<T>> {
  static constexpr int kFixedLength = -1;

  static void write(const std::optional<T>& value, DataOutput& output) {
    if constexpr (kHasOwnNull) {
      if (value.has_value()) return Serializer<T>::write(*value, output);
      output.writeByte(std::same_as<T, std::string> ? 0 : 1);
    } else {
      NullableSerializer<std::optional<T>>::write(value, output);
    }
  }

  static void read(std::optional<T>& target, DataInput& input) {
    if constexpr (std::same_as<T, std::string>) {
      if (!internal::readString(target.emplace(), input)) target.reset();
    } else if constexpr (Described<T>) {
      if (!internal::readPojoFlags(shortTypeName<T>(), input)) return target.reset();
      Serializer<T>::readFields(target.emplace(), input);
    } else {
      NullableSerializer<std::optional<T>>::read(target, input, {});
    }
  }

  static SerializerSnapshot snapshot() {
    SerializerSnapshot value = Serializer<T>::snapshot();
    if constexpr (kHasOwnNull) return value;
    return SerializerSnapshot::wieselType("Optional", {std::move(value)});
  }

  static int32_t hashCode(const std::optional<T>& value) requires SerializableKey<T> {
    return value.has_value() ? Serializer<T>::hashCode(*value) : 0;
  }

 private:
  static constexpr bool kHasOwnNull = std::same_as<T, std::string> || Described<T>;
};

template <Serializable T, class Allocator>
struct Serializer<std::vector<T, Allocator>> {
  using List = std::vector<T, Allocator>;
  static constexpr int kFixedLength = -1;

  static void write(const List& value, DataOutput& output) {
    output.writeInt(static_cast<int32_t>(value.size()));
    for (const auto& element : value) Serializer<T>::write(element, output);
  }

  static void read(List& target, DataInput& input) {
    const int32_t count = input.readCount(internal::kMinLength<T>);
    target.clear();
    target.reserve(internal::roomFor<T>(count));
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      T element{};
      Serializer<T>::read(element, input);
      target.push_back(std::move(element));
    }
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::list(Serializer<T>::snapshot());
  }

  static int32_t hashCode(const List& value) requires SerializableKey<T> {
    int32_t hash = 1;
    for (const auto& element : value) {
      hash = internal::combineHash(hash, Serializer<T>::hashCode(element));
    }
    return hash;
  }
};

namespace internal {

/// Both kinds of map.
template <class Map>
struct MapSerializer {
  using Key = typename Map::key_type;
  using Value = typename Map::mapped_type;
  static constexpr int kFixedLength = -1;

  static void write(const Map& value, DataOutput& output) {
    output.writeInt(static_cast<int32_t>(value.size()));
    for (const auto& [key, mapped] : value) {
      Serializer<Key>::write(key, output);
      NullableSerializer<Value>::write(mapped, output);
    }
  }

  static void read(Map& target, DataInput& input) {
    const int32_t count = input.readCount(kMinLength<Key> + 1);
    target.clear();
    if constexpr (requires { target.reserve(1); }) target.reserve(roomFor<Key>(count));
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      Key key{};
      Value mapped{};
      Serializer<Key>::read(key, input);
      NullableSerializer<Value>::read(mapped, input, "a map's value");
      target.insert_or_assign(target.end(), std::move(key), std::move(mapped));
    }
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::map(Serializer<Key>::snapshot(),
                                   NullableSerializer<Value>::snapshot());
  }

  static int32_t hashCode(const Map& value) requires(
      SerializableKey<Key>&& SerializableKey<Value>) {
    uint32_t hash = 0;
    for (const auto& [key, mapped] : value) {
      hash += static_cast<uint32_t>(Serializer<Key>::hashCode(key) ^
                                    Serializer<Value>::hashCode(mapped));
    }
    return static_cast<int32_t>(hash);
  }
};

/// Pairs and tuples.
template <class Tuple, class... Elements>
struct TupleSerializer {
  static_assert(sizeof...(Elements) >= 1 && sizeof...(Elements) <= 25,
                "a tuple in a stream or in state has 1 to 25 elements");
  static constexpr int kFixedLength = ((Serializer<Elements>::kFixedLength < 0) || ...)
                                          ? -1
                                          : (Serializer<Elements>::kFixedLength + ...);

  static void write(const Tuple& value, DataOutput& output) {
    std::apply(
        [&](const auto&... elements) { (Serializer<Elements>::write(elements, output), ...); },
        value);
  }

  static void read(Tuple& target, DataInput& input) {
    std::apply([&](auto&... elements) { (Serializer<Elements>::read(elements, input), ...); },
               target);
  }

  static SerializerSnapshot snapshot() {
    std::vector<SerializerSnapshot> nested;
    (nested.push_back(Serializer<Elements>::snapshot()), ...);
    return SerializerSnapshot::tuple(std::move(nested));
  }

  static int32_t hashCode(const Tuple& value) requires(SerializableKey<Elements>&&...) {
    int32_t hash = 0;
    std::apply(
        [&](const auto&... elements) {
          ((hash = combineHash(hash, Serializer<Elements>::hashCode(elements))), ...);
        },
        value);
    return hash;
  }
};

}  // namespace internal

template <Serializable Key, Serializable Value, class Compare, class Allocator>
struct Serializer<std::map<Key, Value, Compare, Allocator>>
    : internal::MapSerializer<std::map<Key, Value, Compare, Allocator>> {};

template <Serializable Key, Serializable Value, class Hash, class Equal, class Allocator>
struct Serializer<std::unordered_map<Key, Value, Hash, Equal, Allocator>>
    : internal::MapSerializer<std::unordered_map<Key, Value, Hash, Equal, Allocator>> {};

template <Serializable First, Serializable Second>
struct Serializer<std::pair<First, Second>>
    : internal::TupleSerializer<std::pair<First, Second>, First, Second> {};

template <Serializable... Elements>
struct Serializer<std::tuple<Elements...>>
    : internal::TupleSerializer<std::tuple<Elements...>, Elements...> {};

}  // namespace wiesel
