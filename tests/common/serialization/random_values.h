#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/describe.h"
#include "common/serialization/tagged_union.h"

namespace wiesel {

/// A new seed, or the one in the environment variable WIESEL_TEST_SEED.
inline uint64_t testSeed() {
  const char* given = std::getenv("WIESEL_TEST_SEED");
  if (given != nullptr) return std::strtoull(given, nullptr, 10);
  return std::random_device()();
}

/// Small random values of every serializable type, with a liking for limits and odd text.
class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : engine_(seed) {}

  uint64_t below(uint64_t bound) { return engine_() % bound; }
  bool chance(int percent) { return below(100) < static_cast<uint64_t>(percent); }

  void fill(bool& value) { value = chance(50); }

  template <std::integral T>
  void fill(T& value) {
    value = static_cast<T>(engine_() >> below(64));
    if (chance(10)) value = std::numeric_limits<T>::min();
    if (chance(10)) value = std::numeric_limits<T>::max();
  }

  template <class T>
  requires std::is_enum_v<T>
  void fill(T& value) { value = static_cast<T>(below(200)); }

  void fill(float& value) { value = std::ldexp(static_cast<float>(below(1000)), exponent()); }
  void fill(double& value) { value = std::ldexp(static_cast<double>(below(1000)), exponent()); }
  void fill(std::monostate&) {}

  void fill(std::string& text) {
    static const std::vector<std::string> kPieces = {"a",
                                                     "Z",
                                                     std::string(1, '\0'),
                                                     "\x7f",
                                                     "\u00e9",
                                                     "\u4e2d",
                                                     "\U0001F600",
                                                     "\xff",
                                                     "\x80",
                                                     "\xed\xa0\x80",
                                                     "\xed\xb0\x80",
                                                     "\xed\xb2\x80",
                                                     "\xf0\x9f",
                                                     "\xc3",
                                                     "\xe4\xb8"};
    text.clear();
    const uint64_t size = chance(5) ? below(300) : below(12);
    const bool ascii = chance(50);
    for (uint64_t i = 0; i < size; ++i) text += kPieces[below(ascii ? 4 : kPieces.size())];
  }

  template <class T>
  void fill(std::optional<T>& value) {
    value.reset();
    if (chance(60)) fill(value.emplace());
  }

  template <class T>
  void fill(std::vector<T>& list) {
    list.clear();
    for (uint64_t count = below(5); count > 0; --count) list.push_back(any<T>());
  }

  template <class K, class V>
  void fill(std::map<K, V>& map) {
    fillMap(map);
  }
  template <class K, class V>
  void fill(std::unordered_map<K, V>& map) {
    fillMap(map);
  }

  template <class A, class B>
  void fill(std::pair<A, B>& pair) {
    fill(pair.first);
    fill(pair.second);
  }

  template <class... Elements>
  void fill(std::tuple<Elements...>& tuple) {
    std::apply([this](auto&... elements) { (fill(elements), ...); }, tuple);
  }

  template <class A, class B>
  void fill(TaggedUnion<A, B>& value) {
    value = chance(50) ? TaggedUnion<A, B>::left(any<A>()) : TaggedUnion<A, B>::right(any<B>());
  }

  template <class A, class B, class C>
  void fill(std::variant<A, B, C>& value) {
    const uint64_t index = below(3);
    if (index == 0) value = any<A>();
    if (index == 1) value = any<B>();
    if (index == 2) value = any<C>();
  }

  template <Described T>
  void fill(T& value) {
    forEachField(value, [this](std::string_view, auto& field) { fill(field); });
  }

  template <class T>
  T any() {
    T value{};
    fill(value);
    return value;
  }

 private:
  int exponent() { return static_cast<int>(below(200)) - 100; }

  template <class Map>
  void fillMap(Map& map) {
    map.clear();
    for (uint64_t count = below(5); count > 0; --count) {
      map[any<typename Map::key_type>()] = any<typename Map::mapped_type>();
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace wiesel
