#pragma once

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

namespace internal {

inline uint64_t combineHashes(uint64_t seed, uint64_t next) {
  return mixBits(seed * 0x9E3779B97F4A7C15u + next);
}

template <class T>
struct KeyHash {
  static uint64_t of(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      return mixBits(static_cast<uint64_t>(value));
    } else if constexpr (Described<T>) {
      uint64_t hash = 0;
      forEachField(value, [&hash](const auto&, const auto& field) {
        hash = combineHashes(hash, keyHash(field));
      });
      return hash;
    } else {
      return mixBits(std::hash<T>{}(value));
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

}  // namespace internal

template <class T>
uint64_t keyHash(const T& value) {
  return internal::KeyHash<T>::of(value);
}

/// keyHash as the hash of a standard container.
template <class T>
struct KeyHasher {
  size_t operator()(const T& value) const { return keyHash(value); }
};

}  // namespace wiesel::state
