#include "common/config/dynamic_properties.h"

#include <string_view>

namespace wiesel {
namespace {

constexpr std::string_view kFlag = "-D";

/// Returns what is wrong with the property; empty when it was set.
std::string setProperty(std::string_view property, Configuration& configuration) {
  const size_t equals = property.find('=');
  const std::string_view key = internal::trim(property.substr(0, equals));
  if (key.empty()) {
    return "-D" + std::string(property) + " names no key; expected -Dkey=value";
  }
  const std::string_view value =
      equals == std::string_view::npos ? "true" : internal::trim(property.substr(equals + 1));
  configuration.setString(std::string(key), std::string(value));
  return "";
}

}  // namespace

DynamicProperties takeDynamicProperties(const std::vector<std::string>& arguments) {
  DynamicProperties found;
  bool taking = true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") taking = false;
    if (!taking || !argument.starts_with(kFlag)) {
      found.remaining.push_back(argument);
      continue;
    }
    std::string_view property = std::string_view(argument).substr(kFlag.size());
    if (property.empty()) {
      if (i + 1 == arguments.size()) {
        found.error = "-D is the last argument; expected -D key=value";
        return found;
      }
      property = arguments[++i];
    }
    if (std::string error = setProperty(property, found.configuration); !error.empty()) {
      found.error = std::move(error);
      return found;
    }
  }
  return found;
}

}  // namespace wiesel
