#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace examples {

/// The parts between separators, without empty ones at the end, as Java's split gives them.
inline std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> parts(1);
  for (const char character : line) {
    if (character == separator) {
      parts.emplace_back();
    } else {
      parts.back() += character;
    }
  }
  while (!parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

}  // namespace examples
