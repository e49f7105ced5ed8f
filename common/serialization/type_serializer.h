#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer_snapshot.h"

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
/// More are in void_namespace.h, tagged_union.h, variant_serializer.h, chrono_serializer.h. A type
/// of one's own is added by a specialization with the same members:
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

}  // namespace internal

}  // namespace wiesel
