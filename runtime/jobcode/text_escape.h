#pragma once

#include <string>
#include <string_view>

namespace wiesel::runtime {

/// The text in one line: backslashes and line ends are escaped with a backslash.
std::string escapeLine(std::string_view text);
std::string unescapeLine(std::string_view line);

}  // namespace wiesel::runtime
