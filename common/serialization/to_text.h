#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/describe.h"
#include "common/serialization/java_text.h"

namespace wiesel {

/// Writes a value as Java's String.valueOf would write its twin; what print() prints.
///
///   true, 7, 100.0, 1.0E7, text    plain values
///   (a,1)                          pairs and tuples
///   [a, b]   {k=v, l=w}            lists and maps
///   null                           an empty std::optional
///   Order(alice,100.0)             a described struct
///
/// A type's own operator<< comes before its description; enums without one print as integers.
template <class T>
void toText(std::ostream& out, const T& value);

namespace internal {

/// Specialized for the standard types whose text is Java's.
template <class T>
struct TextWriter;

template <class T>
concept HasTextWriter = requires {
  sizeof(TextWriter<T>);
};

template <class T>
concept Streamable = requires(std::ostream& out, const T& value) {
  out << value;
};

template <class Range, class WriteOne>
void joinText(std::ostream& out, const Range& range, const WriteOne& write_one) {
  std::string_view separator;
  for (const auto& element : range) {
    out << std::exchange(separator, ", ");
    write_one(element);
  }
}

template <class Map>
void mapText(std::ostream& out, const Map& map) {
  out << '{';
  joinText(out, map, [&out](const auto& entry) {
    toText(out, entry.first);
    out << '=';
    toText(out, entry.second);
  });
  out << '}';
}

/// The values with commas in between, in parentheses.
template <class... Values>
void fieldsText(std::ostream& out, const Values&... values) {
  std::string_view separator;
  out << '(';
  ((out << std::exchange(separator, ","), toText(out, values)), ...);
  out << ')';
}

template <>
struct TextWriter<bool> {
  static void write(std::ostream& out, bool value) { out << (value ? "true" : "false"); }
};

template <>
struct TextWriter<double> {
  static void write(std::ostream& out, double value) { out << javaDoubleText(value); }
};

template <>
struct TextWriter<float> {
  static void write(std::ostream& out, float value) { out << javaFloatText(value); }
};

template <class T>
requires(std::integral<T> && sizeof(T) == 1 && !std::same_as<T, char>) struct TextWriter<T> {
  static void write(std::ostream& out, T value) { out << +value; }
};

template <>
struct TextWriter<std::monostate> {
  static void write(std::ostream& out, std::monostate) { out << "null"; }
};

template <class T>
struct TextWriter<std::optional<T>> {
  static void write(std::ostream& out, const std::optional<T>& value) {
    if (value.has_value()) return toText(out, *value);
    out << "null";
  }
};

template <class... Types>
struct TextWriter<std::variant<Types...>> {
  static void write(std::ostream& out, const std::variant<Types...>& value) {
    std::visit([&out](const auto& one) { toText(out, one); }, value);
  }
};

template <class First, class Second>
struct TextWriter<std::pair<First, Second>> {
  static void write(std::ostream& out, const std::pair<First, Second>& value) {
    fieldsText(out, value.first, value.second);
  }
};

template <class... Elements>
struct TextWriter<std::tuple<Elements...>> {
  static void write(std::ostream& out, const std::tuple<Elements...>& value) {
    std::apply([&out](const auto&... elements) { fieldsText(out, elements...); }, value);
  }
};

template <class T, class Allocator>
struct TextWriter<std::vector<T, Allocator>> {
  static void write(std::ostream& out, const std::vector<T, Allocator>& value) {
    out << '[';
    joinText(out, value, [&out](const auto& element) { toText(out, element); });
    out << ']';
  }
};

template <class... Arguments>
struct TextWriter<std::map<Arguments...>> {
  static void write(std::ostream& out, const std::map<Arguments...>& value) { mapText(out, value); }
};

template <class... Arguments>
struct TextWriter<std::unordered_map<Arguments...>> {
  static void write(std::ostream& out, const std::unordered_map<Arguments...>& value) {
    mapText(out, value);
  }
};

}  // namespace internal

/// Whether toText() takes a T; for elements of containers this is found out when it is called.
template <class T>
concept Printable =
    internal::HasTextWriter<T> || internal::Streamable<T> || Described<T> || std::is_enum_v<T>;

template <class T>
void toText(std::ostream& out, const T& value) {
  static_assert(Printable<T>,
                "this type cannot be printed: give it an operator<<, or describe it with "
                "WIESEL_DESCRIBE(Type, field, ...)");
  if constexpr (internal::HasTextWriter<T>) {
    internal::TextWriter<T>::write(out, value);
  } else if constexpr (internal::Streamable<T>) {
    out << value;
  } else if constexpr (Described<T>) {
    out << shortTypeName<T>();
    std::apply([&](const auto&... fields) { internal::fieldsText(out, value.*fields.pointer...); },
               internal::kFieldsOf<T>);
  } else if constexpr (std::is_enum_v<T>) {
    out << +static_cast<std::underlying_type_t<T>>(value);
  }
}

}  // namespace wiesel
