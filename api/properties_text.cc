#include "api/properties_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace wiesel::internal {
namespace {

constexpr std::string_view kBlanks = " \t\f\r";

std::string_view withoutLeadingBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

bool isContinued(std::string_view line) {
  size_t backslashes = 0;
  while (backslashes < line.size() && line[line.size() - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

/// Takes the next line off `rest`, joined with those that continue it, without leading blanks.
std::string takeLogicalLine(std::string_view& rest) {
  std::string joined;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = withoutLeadingBlanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_comment = joined.empty() && (line.starts_with('#') || line.starts_with('!'));
    if (is_comment) return {};
    if (!isContinued(line)) return joined + std::string(line);
    joined += line.substr(0, line.size() - 1);
  }
  return joined;
}

void appendUtf8(uint32_t unit, std::string& text) {
  if (unit < 0x80) {
    text += static_cast<char>(unit);
  } else if (unit < 0x800) {
    text += static_cast<char>(0xC0 | (unit >> 6));
    text += static_cast<char>(0x80 | (unit & 0x3F));
  } else {
    text += static_cast<char>(0xE0 | (unit >> 12));
    text += static_cast<char>(0x80 | ((unit >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (unit & 0x3F));
  }
}

/// The number behind "\u", when there are four hexadecimal digits.
std::optional<uint32_t> unicodeAt(std::string_view digits) {
  uint32_t unit = 0;
  if (digits.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  if (error != std::errc() || end != digits.data() + 4) return std::nullopt;
  return unit;
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view kNames = "tnrf";
  constexpr std::string_view kMeanings = "\t\n\r\f";
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || ++i == text.size()) {
      if (i < text.size()) result += text[i];
      continue;
    }
    if (const auto unit = text[i] == 'u' ? unicodeAt(text.substr(i + 1)) : std::nullopt) {
      appendUtf8(*unit, result);
      i += 4;
    } else {
      const size_t name = kNames.find(text[i]);
      result += name == std::string_view::npos ? text[i] : kMeanings[name];
    }
  }
  return result;
}

/// Where the key ends: at the first '=', ':' or blank that no backslash stands before.
size_t keyLength(std::string_view line) {
  size_t i = 0;
  for (; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '=' || line[i] == ':' || kBlanks.find(line[i]) != kBlanks.npos) {
      break;
    }
  }
  return std::min(i, line.size());
}

}  // namespace

std::map<std::string, std::string> parsePropertiesText(std::string_view text) {
  std::map<std::string, std::string> properties;
  while (!text.empty()) {
    const std::string line = takeLogicalLine(text);
    if (line.empty()) continue;
    const size_t key_length = keyLength(line);
    std::string_view value = withoutLeadingBlanks(std::string_view(line).substr(key_length));
    if (value.starts_with('=') || value.starts_with(':')) {
      value = withoutLeadingBlanks(value.substr(1));
    }
    properties[unescaped(std::string_view(line).substr(0, key_length))] = unescaped(value);
  }
  return properties;
}

}  // namespace wiesel::internal
