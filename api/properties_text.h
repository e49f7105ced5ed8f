#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wiesel::internal {

/// Reads a properties file: a line `key=value`, `key: value` or `key value` each; `#` and `!` begin
/// comments, a backslash at the end joins a line with the next, and \t, \n, \r, \f and \uXXXX stand
/// for characters. The last of equal keys wins. Text is UTF-8.
/// Flink: what ParameterTool.fromPropertiesFile reads with java.util.Properties (1.20), which takes
/// the bytes as ISO 8859-1.
std::map<std::string, std::string> parsePropertiesText(std::string_view text);

}  // namespace wiesel::internal
