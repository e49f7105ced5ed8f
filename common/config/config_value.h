#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel {

/// A number of bytes in a configuration.
struct MemorySize {
  int64_t bytes = 0;

  static constexpr MemorySize ofKibibytes(int64_t count) { return {count << 10}; }
  static constexpr MemorySize ofMebibytes(int64_t count) { return {count << 20}; }
  static constexpr MemorySize ofGibibytes(int64_t count) { return {count << 30}; }

  friend auto operator<=>(const MemorySize&, const MemorySize&) = default;
};

/// Ports to try in order: "8081", "8081-8090", "50100,50200-50210"; 0 means any free one.
struct PortRange {
  std::vector<uint16_t> ports;

  friend bool operator==(const PortRange&, const PortRange&) = default;
};

/// How a T is written in a configuration. Specialised for bool, int32_t, int64_t, double,
/// std::string, std::chrono::milliseconds, MemorySize, PortRange, std::vector<std::string> (`a;b`),
/// std::map<std::string, std::string> (`k:v,k:v`; quote with ' what holds a delimiter) and every
/// enum that has EnumNames.
///
///   static std::optional<T> parse(std::string_view text);  // nullopt: not of this form
///   static std::string format(const T& value);             // parse(format(v)) == v
///   static std::string form();                             // for errors: "a duration such as ..."
///
/// Flink: ConfigurationUtils, TimeUtils, MemorySize, StructuredOptionsSplitter (1.20). Departure:
/// the unit of a duration is at best a millisecond; smaller ones are cut off.
template <class T>
struct ConfigValue;

/// The names of an enum's values, in any case; a value's first name is the one that is written:
///   template <> struct EnumNames<Mode> {
///     static constexpr std::pair<std::string_view, Mode> kNames[] = {{"EXACTLY_ONCE", ...}, ...};
///   };
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = requires {
  EnumNames<E>::kNames;
};

namespace internal {
bool equalsIgnoreCase(std::string_view a, std::string_view b);
std::string_view trim(std::string_view text);
}  // namespace internal

template <NamedEnum E>
struct ConfigValue<E> {
  static std::optional<E> parse(std::string_view text) {
    for (const auto& [name, value] : EnumNames<E>::kNames) {
      if (internal::equalsIgnoreCase(internal::trim(text), name)) return value;
    }
    return std::nullopt;
  }
  static std::string format(E value) {
    for (const auto& [name, candidate] : EnumNames<E>::kNames) {
      if (candidate == value) return std::string(name);
    }
    return std::string();
  }
  static std::string form() {
    std::string names;
    for (const auto& entry : EnumNames<E>::kNames) {
      names += names.empty() ? "one of " : ", ";
      names += entry.first;
    }
    return names;
  }
};

#define WIESEL_DECLARE_CONFIG_VALUE_(...)                           \
  template <>                                                       \
  struct ConfigValue<__VA_ARGS__> {                                 \
    static std::optional<__VA_ARGS__> parse(std::string_view text); \
    static std::string format(const __VA_ARGS__& value);            \
    static std::string form();                                      \
  }

WIESEL_DECLARE_CONFIG_VALUE_(bool);
WIESEL_DECLARE_CONFIG_VALUE_(int32_t);
WIESEL_DECLARE_CONFIG_VALUE_(int64_t);
WIESEL_DECLARE_CONFIG_VALUE_(double);
WIESEL_DECLARE_CONFIG_VALUE_(std::string);
WIESEL_DECLARE_CONFIG_VALUE_(std::chrono::milliseconds);
WIESEL_DECLARE_CONFIG_VALUE_(MemorySize);
WIESEL_DECLARE_CONFIG_VALUE_(PortRange);
WIESEL_DECLARE_CONFIG_VALUE_(std::vector<std::string>);
WIESEL_DECLARE_CONFIG_VALUE_(std::map<std::string, std::string>);

#undef WIESEL_DECLARE_CONFIG_VALUE_

}  // namespace wiesel
