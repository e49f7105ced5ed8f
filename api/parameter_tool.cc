#include "api/parameter_tool.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "api/properties_text.h"
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

ParameterTool ParameterTool::fromMap(std::map<std::string, std::string> values) {
  ParameterTool tool;
  tool.values_ = std::move(values);
  return tool;
}

ParameterTool ParameterTool::fromPropertiesFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    throw std::invalid_argument("cannot read the properties file '" + path +
                                "': " + std::generic_category().message(errno));
  }
  return fromMap(internal::parsePropertiesText(text));
}

std::optional<std::string> ParameterTool::get(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::string ParameterTool::get(const std::string& name, const std::string& fallback) const {
  return get(name).value_or(fallback);
}

std::string ParameterTool::getRequired(const std::string& name) const {
  const std::optional<std::string> value = get(name);
  if (!value) throw std::invalid_argument("--" + name + " is missing");
  if (value->empty()) throw std::invalid_argument("--" + name + " needs a value");
  return *value;
}

template <class Number>
Number ParameterTool::numberOf(const std::string& name, std::string_view form) const {
  const std::optional<std::string> text = get(name);
  if (!text) throw std::invalid_argument("--" + name + " is missing");
  Number value{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) {
    throw std::invalid_argument("--" + name + " needs " + std::string(form) + ", got '" + *text +
                                "'");
  }
  return value;
}

int32_t ParameterTool::getInt(const std::string& name) const {
  return numberOf<int32_t>(name, "a whole number of 32 bits");
}
int32_t ParameterTool::getInt(const std::string& name, int32_t fallback) const {
  return has(name) ? getInt(name) : fallback;
}

int64_t ParameterTool::getLong(const std::string& name) const {
  return numberOf<int64_t>(name, "a whole number");
}
int64_t ParameterTool::getLong(const std::string& name, int64_t fallback) const {
  return has(name) ? getLong(name) : fallback;
}

float ParameterTool::getFloat(const std::string& name) const {
  return numberOf<float>(name, "a number");
}
float ParameterTool::getFloat(const std::string& name, float fallback) const {
  return has(name) ? getFloat(name) : fallback;
}

double ParameterTool::getDouble(const std::string& name) const {
  return numberOf<double>(name, "a number");
}
double ParameterTool::getDouble(const std::string& name, double fallback) const {
  return has(name) ? getDouble(name) : fallback;
}

bool ParameterTool::getBoolean(const std::string& name) const {
  const std::string text = getRequired(name);
  const std::optional<bool> value = ConfigValue<bool>::parse(text);
  if (!value) throw std::invalid_argument("--" + name + " needs true or false, got '" + text + "'");
  return *value;
}
bool ParameterTool::getBoolean(const std::string& name, bool fallback) const {
  return has(name) ? getBoolean(name) : fallback;
}

ParameterTool ParameterTool::mergeWith(const ParameterTool& other) const {
  ParameterTool merged = *this;
  for (const auto& [name, value] : other.values_) merged.values_[name] = value;
  merged.configuration_.merge(other.configuration_);
  return merged;
}

void ParameterTool::allowOnly(const std::vector<std::string_view>& names) const {
  for (const auto& [name, value] : values_) {
    if (std::ranges::find(names, name) == names.end()) {
      throw std::invalid_argument("--" + name + " is no argument of this program");
    }
  }
}

}  // namespace wiesel
