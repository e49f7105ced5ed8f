#include "api/parameter_tool.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "common/config/dynamic_properties.h"

namespace wiesel {
namespace {

/// "--name" and "-name" give "name"; a value, also a negative number, gives "".
std::string nameIn(const std::string& argument) {
  if (argument.starts_with("--")) return argument.substr(2);
  if (!argument.starts_with("-") || argument.size() == 1) return "";
  if (std::isdigit(static_cast<unsigned char>(argument[1])) != 0) return "";
  return argument.substr(1);
}

}  // namespace

ParameterTool ParameterTool::fromArgs(int argc, const char* const* argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  DynamicProperties properties = takeDynamicProperties(arguments);
  if (!properties.error.empty()) throw std::invalid_argument(properties.error);

  ParameterTool tool;
  tool.configuration_ = std::move(properties.configuration);
  const std::vector<std::string>& rest = properties.remaining;
  for (size_t i = 0; i < rest.size(); ++i) {
    const std::string name = nameIn(rest[i]);
    if (name.empty()) {
      throw std::invalid_argument("'" + rest[i] +
                                  "' stands behind no argument; write --name value");
    }
    const bool has_value =
        i + 1 < rest.size() && nameIn(rest[i + 1]).empty() && rest[i + 1] != "--";
    tool.values_[name] = has_value ? rest[++i] : "";
  }
  return tool;
}

std::string ParameterTool::get(const std::string& name, const std::string& fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? fallback : found->second;
}

std::string ParameterTool::getRequired(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::invalid_argument("--" + name + " is missing");
  if (found->second.empty()) throw std::invalid_argument("--" + name + " needs a value");
  return found->second;
}

int64_t ParameterTool::getLong(const std::string& name, int64_t fallback) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return fallback;
  const std::string& text = found->second;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("--" + name + " needs a whole number, got '" + text + "'");
  }
  return value;
}

void ParameterTool::allowOnly(const std::vector<std::string_view>& names) const {
  for (const auto& [name, value] : values_) {
    if (std::ranges::find(names, name) == names.end()) {
      throw std::invalid_argument("--" + name + " is no argument of this program");
    }
  }
}

}  // namespace wiesel
