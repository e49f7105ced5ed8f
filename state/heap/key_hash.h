#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/describe.h"
#include "common/serialization/serializer.h"

namespace wiesel::state {

/// Spreads the bits of a hash, so that neighbouring inputs fall far apart (splitmix64's finalizer).
constexpr uint64_t mixBits(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

/// A hash for tables in memory. It is not Java's hashCode, which only decides the key group.
template <class T>
uint64_t keyHash(const T& value);

/// Whether two keys are the same one, as Java's equals says: unlike with ==, a NaN is the same as
/// another, and 0.0 is not -0.0.
template <class T>
bool sameKey(const T& left, const T& right);

namespace internal {

inline uint64_t combineHashes(uint64_t seed, uint64_t next) {
  return mixBits(seed * 0x9E3779B97F4A7C15u + next);
}

template <class T>
concept StdHashable = requires(const T& value) {
  { std::hash<T>{}(value) } -> std::convertible_to<size_t>;
};

template <class T>
struct KeyHash {
  static uint64_t of(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      return mixBits(static_cast<uint64_t>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return value != value ? 0 : mixBits(std::hash<T>{}(value));
    } else if constexpr (Described<T>) {
      uint64_t hash = 0;
      forEachField(value, [&hash](const auto&, const auto& field) {
        hash = combineHashes(hash, keyHash(field));
      });
      return hash;
    } else if constexpr (StdHashable<T>) {
      return mixBits(std::hash<T>{}(value));
    } else {
      return mixBits(static_cast<uint32_t>(Serializer<T>::hashCode(value)));
    }
  }
};

template <class... Parts>
struct KeyHash<std::tuple<Parts...>> {
  static uint64_t of(const std::tuple<Parts...>& value) {
    uint64_t hash = 0;
    std::apply(
        [&hash](const Parts&... part) { ((hash = combineHashes(hash, keyHash(part))), ...); },
        value);
    return hash;
  }
};

template <class First, class Second>
struct KeyHash<std::pair<First, Second>> {
  static uint64_t of(const std::pair<First, Second>& value) {
    return combineHashes(keyHash(value.first), keyHash(value.second));
  }
};

template <class T>
struct KeyHash<std::vector<T>> {
  static uint64_t of(const std::vector<T>& value) {
    uint64_t hash = value.size();
    for (const T& element : value) hash = combineHashes(hash, keyHash(element));
    return hash;
  }
};

template <class T>
struct KeyHash<std::optional<T>> {
  static uint64_t of(const std::optional<T>& value) { return value ? keyHash(*value) + 1 : 0; }
};

template <class... Types>
struct KeyHash<std::variant<Types...>> {
  static uint64_t of(const std::variant<Types...>& value) {
    return std::visit([](const auto& one) { return keyHash(one); }, value);
  }
};

template <class T>
struct SameKey {
  static bool of(const T& left, const T& right) {
    if constexpr (std::is_floating_point_v<T>) {
      if (left != left || right != right) return left != left && right != right;
      return left == right && std::signbit(left) == std::signbit(right);
    } else if constexpr (Described<T>) {
      return std::apply(
          [&](const auto&... fields) {
            return (sameKey(left.*fields.pointer, right.*fields.pointer) && ...);
          },
          wiesel::internal::kFieldsOf<T>);
    } else {
      return left == right;
    }
  }
};

template <class... Parts>
struct SameKey<std::tuple<Parts...>> {
  using Tuple = std::tuple<Parts...>;
  static bool of(const Tuple& left, const Tuple& right) {
    return [&]<size_t... i>(std::index_sequence<i...>) {
      return (sameKey(std::get<i>(left), std::get<i>(right)) && ...);
    }
    (std::index_sequence_for<Parts...>());
  }
};

template <class First, class Second>
struct SameKey<std::pair<First, Second>> {
  using Pair = std::pair<First, Second>;
  static bool of(const Pair& left, const Pair& right) {
    return sameKey(left.first, right.first) && sameKey(left.second, right.second);
  }
};

template <class T>
struct SameKey<std::vector<T>> {
  static bool of(const std::vector<T>& left, const std::vector<T>& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const T& one, const T& other) { return sameKey(one, other); });
  }
};

template <class T>
struct SameKey<std::optional<T>> {
  static bool of(const std::optional<T>& left, const std::optional<T>& right) {
    if (!left || !right) return left.has_value() == right.has_value();
    return sameKey(*left, *right);
  }
};

}  // namespace internal

template <class T>
uint64_t keyHash(const T& value) {
  return internal::KeyHash<T>::of(value);
}

template <class T>
bool sameKey(const T& left, const T& right) {
  return internal::SameKey<T>::of(left, right);
}

/// keyHash as the hash of a standard container.
template <class T>
struct KeyHasher {
  size_t operator()(const T& value) const { return keyHash(value); }
};

/// sameKey as the equality of a standard container.
template <class T>
struct KeyEqual {
  bool operator()(const T& left, const T& right) const { return sameKey(left, right); }
};

}  // namespace wiesel::state
