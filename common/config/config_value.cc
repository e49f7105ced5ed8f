#include "common/config/config_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "common/config/structured_text.h"

namespace wiesel {
namespace internal {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&lower](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace internal

namespace {

using internal::equalsIgnoreCase;
using internal::trim;

template <class T>
std::optional<T> parseNumber(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Unit {
  std::string_view name;
  int64_t multiplier;  // Of the smallest unit; 0 for units that are smaller still.
};

/// Parses "10 s" and "10s"; a bare number counts the smallest unit.
std::optional<int64_t> parseQuantity(std::string_view text, const std::vector<Unit>& units) {
  text = trim(text);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<int64_t> count = parseNumber<int64_t>(text.substr(0, digits));
  if (!count.has_value()) return std::nullopt;
  const std::string_view unit_name = trim(text.substr(digits));
  if (unit_name.empty()) return count;
  for (const Unit& unit : units) {
    if (!equalsIgnoreCase(unit_name, unit.name)) continue;
    int64_t total = 0;
    if (__builtin_mul_overflow(*count, unit.multiplier, &total)) return std::nullopt;
    return total;
  }
  return std::nullopt;
}

/// Writes with the largest of `units` (largest first) that leaves no rest.
std::string formatQuantity(int64_t total, const std::vector<Unit>& units) {
  for (const Unit& unit : units) {
    if (total != 0 && total % unit.multiplier == 0) {
      return std::to_string(total / unit.multiplier) + " " + std::string(unit.name);
    }
  }
  return std::to_string(total) + " " + std::string(units.back().name);
}

std::optional<int64_t> parseDurationMs(std::string_view text) {
  static const std::vector<Unit> kUnits = {
      {"ms", 1},           {"milli", 1},         {"millis", 1},
      {"millisecond", 1},  {"milliseconds", 1},  {"s", 1000},
      {"sec", 1000},       {"secs", 1000},       {"second", 1000},
      {"seconds", 1000},   {"min", 60'000},      {"m", 60'000},
      {"minute", 60'000},  {"minutes", 60'000},  {"h", 3'600'000},
      {"hour", 3'600'000}, {"hours", 3'600'000}, {"d", 86'400'000},
      {"day", 86'400'000}, {"days", 86'400'000},
  };
  if (const auto duration_ms = parseQuantity(text, kUnits)) return duration_ms;

  static const std::vector<Unit> kMicroUnits = {
      {"µs", 1}, {"micro", 1}, {"micros", 1}, {"microsecond", 1}, {"microseconds", 1}};
  if (const auto duration_us = parseQuantity(text, kMicroUnits)) return *duration_us / 1000;

  static const std::vector<Unit> kNanoUnits = {
      {"ns", 1}, {"nano", 1}, {"nanos", 1}, {"nanosecond", 1}, {"nanoseconds", 1}};
  if (const auto duration_ns = parseQuantity(text, kNanoUnits)) return *duration_ns / 1'000'000;
  return std::nullopt;
}

}  // namespace

std::optional<bool> ConfigValue<bool>::parse(std::string_view text) {
  if (equalsIgnoreCase(trim(text), "true")) return true;
  if (equalsIgnoreCase(trim(text), "false")) return false;
  return std::nullopt;
}
std::string ConfigValue<bool>::format(const bool& value) { return value ? "true" : "false"; }
std::string ConfigValue<bool>::form() { return "true or false"; }

std::optional<int32_t> ConfigValue<int32_t>::parse(std::string_view text) {
  return parseNumber<int32_t>(text);
}
std::string ConfigValue<int32_t>::format(const int32_t& value) { return std::to_string(value); }
std::string ConfigValue<int32_t>::form() { return "an integer of 32 bits"; }

std::optional<int64_t> ConfigValue<int64_t>::parse(std::string_view text) {
  return parseNumber<int64_t>(text);
}
std::string ConfigValue<int64_t>::format(const int64_t& value) { return std::to_string(value); }
std::string ConfigValue<int64_t>::form() { return "an integer of 64 bits"; }

std::optional<double> ConfigValue<double>::parse(std::string_view text) {
  const std::optional<double> value = parseNumber<double>(text);
  return value.has_value() && std::isfinite(*value) ? value : std::nullopt;
}
std::string ConfigValue<double>::format(const double& value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}
std::string ConfigValue<double>::form() { return "a number such as 0.4"; }

std::optional<std::string> ConfigValue<std::string>::parse(std::string_view text) {
  return std::string(text);
}
std::string ConfigValue<std::string>::format(const std::string& value) { return value; }
std::string ConfigValue<std::string>::form() { return "a text"; }

std::optional<std::chrono::milliseconds> ConfigValue<std::chrono::milliseconds>::parse(
    std::string_view text) {
  const std::optional<int64_t> duration_ms = parseDurationMs(text);
  if (!duration_ms.has_value()) return std::nullopt;
  return std::chrono::milliseconds(*duration_ms);
}
std::string ConfigValue<std::chrono::milliseconds>::format(const std::chrono::milliseconds& value) {
  return formatQuantity(
      value.count(),
      {{"d", 86'400'000}, {"h", 3'600'000}, {"min", 60'000}, {"s", 1000}, {"ms", 1}});
}
std::string ConfigValue<std::chrono::milliseconds>::form() {
  return "a duration such as '500 ms', '10 s', '1 min', '2 h' or '1 d'";
}

std::optional<MemorySize> ConfigValue<MemorySize>::parse(std::string_view text) {
  static const std::vector<Unit> kUnits = {
      {"b", 1},
      {"bytes", 1},
      {"k", 1 << 10},
      {"kb", 1 << 10},
      {"kibibytes", 1 << 10},
      {"m", 1 << 20},
      {"mb", 1 << 20},
      {"mebibytes", 1 << 20},
      {"g", 1 << 30},
      {"gb", 1 << 30},
      {"gibibytes", 1 << 30},
      {"t", 1LL << 40},
      {"tb", 1LL << 40},
      {"tebibytes", 1LL << 40},
  };
  const std::optional<int64_t> bytes = parseQuantity(text, kUnits);
  if (!bytes.has_value()) return std::nullopt;
  return MemorySize{*bytes};
}
std::string ConfigValue<MemorySize>::format(const MemorySize& value) {
  return formatQuantity(
      value.bytes,
      {{"tb", 1LL << 40}, {"gb", 1 << 30}, {"mb", 1 << 20}, {"kb", 1 << 10}, {"bytes", 1}});
}
std::string ConfigValue<MemorySize>::form() { return "a size such as '32 kb', '64 mb' or '1 g'"; }

std::optional<PortRange> ConfigValue<PortRange>::parse(std::string_view text) {
  const auto parsePort = [](std::string_view port_text) {
    return parseNumber<uint16_t>(port_text);
  };
  PortRange range;
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const size_t dash = std::min(part.find('-'), part.size());
    const std::optional<uint16_t> first = parsePort(part.substr(0, dash));
    const std::optional<uint16_t> last =
        dash == part.size() ? first : parsePort(part.substr(dash + 1));
    if (!first.has_value() || !last.has_value() || *first > *last) return std::nullopt;
    for (uint32_t port = *first; port <= *last; ++port) {
      range.ports.push_back(static_cast<uint16_t>(port));
    }
    if (comma == text.size()) return range;
    text.remove_prefix(comma + 1);
  }
}
std::string ConfigValue<PortRange>::format(const PortRange& value) {
  std::string text;
  for (const uint16_t port : value.ports) {
    if (!text.empty()) text += ",";
    text += std::to_string(port);
  }
  return text;
}
std::string ConfigValue<PortRange>::form() {
  return "a port (0 to 65535), a range such as '8081-8090', or several of them with commas between";
}

std::optional<std::vector<std::string>> ConfigValue<std::vector<std::string>>::parse(
    std::string_view text) {
  return splitStructuredText(text, ';');
}
std::string ConfigValue<std::vector<std::string>>::format(const std::vector<std::string>& value) {
  return joinStructuredText(value, ';');
}
std::string ConfigValue<std::vector<std::string>>::form() { return "a list such as 'a;b'"; }

std::optional<std::map<std::string, std::string>>
ConfigValue<std::map<std::string, std::string>>::parse(std::string_view text) {
  const auto entries = splitStructuredText(text, ',');
  if (!entries.has_value()) return std::nullopt;
  std::map<std::string, std::string> map;
  for (const std::string& entry : *entries) {
    const auto parts = splitStructuredText(entry, ':');
    if (!parts.has_value() || parts->size() != 2) return std::nullopt;
    map.insert_or_assign((*parts)[0], (*parts)[1]);
  }
  return map;
}
std::string ConfigValue<std::map<std::string, std::string>>::format(
    const std::map<std::string, std::string>& value) {
  std::vector<std::string> entries;
  entries.reserve(value.size());
  for (const auto& [key, mapped] : value) {
    entries.push_back(joinStructuredText({key, mapped}, ':'));
  }
  return joinStructuredText(entries, ',');
}
std::string ConfigValue<std::map<std::string, std::string>>::form() {
  return "a map such as 'key1:value1,key2:value2'";
}

}  // namespace wiesel
