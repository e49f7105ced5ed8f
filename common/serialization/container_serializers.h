#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/serialization/pojo_serializer.h"
#include "common/serialization/type_serializer.h"

namespace wiesel {

namespace internal {

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
