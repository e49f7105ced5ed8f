#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace wiesel::internal {

// Whether a description names every field of its struct, so that none is lost on the way through a
// serializer. C++20 cannot list the fields of a struct, but it can try how many values initialize
// one: an aggregate takes one for each base and each member, in this order, and one for each
// element of an array.

// Converts to whatever a field wants. Only for expressions that are never evaluated.
struct AnyValue {
  template <class Field>
  operator Field() const;  // NOLINT: implicit on purpose, as below.
};

template <class Base, class Derived>
inline constexpr bool kIsProperBase =
    std::is_base_of_v<Base, Derived> && !std::is_same_v<Base, Derived>;

// Converts to the bases of Derived only.
template <class Derived>
struct AnyBaseOf {
  template <class Base>
  requires kIsProperBase<Base, Derived>
  operator Base() const;  // NOLINT
};

template <class T, class... Fields>
constexpr bool describesAllFields();

// Converts to those bases of Derived that have fields beside the described ones.
template <class Derived, class... Fields>
struct AnyIncompleteBaseOf {
  template <class Base>
  requires(kIsProperBase<Base, Derived> && !describesAllFields<Base, Fields...>()) operator Base()
      const;  // NOLINT
};

template <class T, class... Values>
concept InitializedBy = requires {
  T{std::declval<Values>()...};
};

template <size_t, class Value>
using Repeated = Value;

// How many fields a description may leave out and still be found incomplete when the last of them
// cannot be left to its default (its default constructor is explicit).
inline constexpr size_t kMostLeftOut = 4;

// Whether a T takes values for `before` bases, then First..., then for `after` more bases, and then
// for `at_least` to `at_least + kMostLeftOut` members.
template <class T, size_t before, size_t after, size_t at_least, class... First>
constexpr bool takesValues() {
  return []<size_t... b, size_t... a, size_t... more>(
      std::index_sequence<b...>, std::index_sequence<a...>, std::index_sequence<more...>) {
    return ([]<size_t... m>(std::index_sequence<m...>) {
      return InitializedBy<T, Repeated<b, AnyBaseOf<T>>..., First..., Repeated<a, AnyBaseOf<T>>...,
                           Repeated<m, AnyValue>...>;
    }(std::make_index_sequence<at_least + more>()) ||
            ...);
  }
  (std::make_index_sequence<before>(), std::make_index_sequence<after>(),
   std::make_index_sequence<kMostLeftOut + 1>());
}

template <class T, size_t members, size_t bases = 0>
constexpr size_t countBases() {
  if constexpr (takesValues<T, bases + 1, 0, members>()) {
    return countBases<T, members, bases + 1>();
  } else {
    return bases;
  }
}

// The values that a field takes if it is T's own and not inherited.
template <class T, class Field>
inline constexpr size_t kValuesOf =
    std::is_same_v<typename Field::Owner, T>
        ? sizeof(typename Field::Member) / sizeof(std::remove_all_extents_t<typename Field::Member>)
        : 0;

/// False when T, or a base of it, has a field that is not among `Fields` (FieldDescriptions). True
/// when that cannot be told: for types that are no aggregates, and where a field takes no AnyValue.
template <class T, class... Fields>
constexpr bool describesAllFields() {
  if constexpr (!std::is_aggregate_v<T>) {
    return true;
  } else {
    constexpr size_t members = (kValuesOf<T, Fields> + ... + 0);
    constexpr size_t bases = countBases<T, members>();
    constexpr bool all_of_bases = []<size_t... b>(std::index_sequence<b...>) {
      return !(takesValues<T, b, bases - 1 - b, members, AnyIncompleteBaseOf<T, Fields...>>() ||
               ...);
    }
    (std::make_index_sequence<bases>());
    return all_of_bases && !takesValues<T, bases, 0, members + 1>();
  }
}

}  // namespace wiesel::internal
