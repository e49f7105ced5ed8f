#include "common/serialization/java_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace wiesel {
namespace {

/// 0.d1d2d3... times 10 to the power of exponent + 1.
struct Decimal {
  std::string digits;  // Without zeros at the end, but at least one.
  int exponent = 0;    // Of the first digit.
};

/// Takes apart `d.ddde+xx`.
Decimal parseScientific(std::string_view text) {
  const size_t mark = text.find('e');
  Decimal decimal;
  for (const char c : text.substr(0, mark)) {
    if (c != '.') decimal.digits += c;
  }
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
  std::string_view exponent = text.substr(mark + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.begin(), exponent.end(), decimal.exponent);
  return decimal;
}

template <class Number>
Decimal shortest(Number magnitude) {
  std::array<char, 64> buffer;
  const auto scientific = std::chars_format::scientific;
  char* end = std::to_chars(buffer.begin(), buffer.end(), magnitude, scientific).ptr;
  const Decimal decimal = parseScientific({buffer.begin(), end});
  if (decimal.digits.size() > 1) return decimal;
  // Java compares decimals of two digits too, and takes the closest: 4.9E-324, not 5.0E-324.
  end = std::to_chars(buffer.begin(), buffer.end(), magnitude, scientific, 1).ptr;
  return parseScientific({buffer.begin(), end});
}

std::string plainText(const Decimal& decimal) {
  const std::string& digits = decimal.digits;
  if (decimal.exponent < 0) return "0." + std::string(-decimal.exponent - 1, '0') + digits;
  const size_t before_point = static_cast<size_t>(decimal.exponent) + 1;
  if (digits.size() <= before_point) {
    return digits + std::string(before_point - digits.size(), '0') + ".0";
  }
  return digits.substr(0, before_point) + "." + digits.substr(before_point);
}

std::string exponentText(const Decimal& decimal) {
  const std::string fraction = decimal.digits.size() > 1 ? decimal.digits.substr(1) : "0";
  return decimal.digits.substr(0, 1) + "." + fraction + "E" + std::to_string(decimal.exponent);
}

template <class Number>
std::string textOf(Number value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  const Number magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign + "Infinity";
  if (magnitude == 0) return sign + "0.0";
  const Decimal decimal = shortest(magnitude);
  const bool plain = -3 <= decimal.exponent && decimal.exponent < 7;
  return sign + (plain ? plainText(decimal) : exponentText(decimal));
}

}  // namespace

std::string javaDoubleText(double value) { return textOf(value); }
std::string javaFloatText(float value) { return textOf(value); }

}  // namespace wiesel
