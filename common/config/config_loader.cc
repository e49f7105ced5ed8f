#include "common/config/config_loader.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/config/structured_text.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel {
namespace {

constexpr std::string_view kFileName = "config.yaml";
constexpr std::string_view kLegacyFileName = "flink-conf.yaml";

absl::Status errorAt(std::string_view file_name, const YAML::Mark& mark, std::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s, line %d: %s", file_name, mark.line + 1, what));
}

/// Flattens one YAML document into dotted keys.
class Flattener {
 public:
  Flattener(std::string_view file_name, Configuration& configuration)
      : file_name_(file_name), configuration_(configuration) {}

  absl::Status addMap(const std::string& prefix, const YAML::Node& map) {
    std::set<std::string> keys;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) return errorAt(entry.first, "a key must be plain text");
      const std::string& name = entry.first.Scalar();
      if (!keys.insert(name).second) {
        return errorAt(entry.first, absl::StrFormat("the key '%s' stands here twice", name));
      }
      WIESEL_RETURN_IF_ERROR(add(prefix.empty() ? name : prefix + "." + name, entry.second));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status errorAt(const YAML::Node& node, std::string_view what) const {
    return wiesel::errorAt(file_name_, node.Mark(), what);
  }

  absl::Status add(const std::string& key, const YAML::Node& value) {
    if (value.IsMap()) return addMap(key, value);
    if (value.IsSequence()) return addList(key, value);
    // A key without a value is not set.
    if (value.IsScalar()) configuration_.setString(key, value.Scalar());
    return absl::OkStatus();
  }

  absl::Status addList(const std::string& key, const YAML::Node& list) {
    std::vector<std::string> items;
    for (const YAML::Node& item : list) {
      if (item.IsScalar()) {
        items.push_back(item.Scalar());
      } else if (item.IsMap()) {
        WIESEL_ASSIGN_OR_RETURN(std::string text, mapText(key, item));
        items.push_back(std::move(text));
      } else {
        return errorAt(item, absl::StrFormat("an item of the list '%s' is no text or map", key));
      }
    }
    configuration_.setString(key, joinStructuredText(items, ';'));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> mapText(const std::string& key, const YAML::Node& map) const {
    std::map<std::string, std::string> entries;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar() || !entry.second.IsScalar()) {
        return errorAt(map, absl::StrFormat("a map in the list '%s' holds more than text", key));
      }
      entries.insert_or_assign(entry.first.Scalar(), entry.second.Scalar());
    }
    return ConfigValue<std::map<std::string, std::string>>::format(entries);
  }

  const std::string_view file_name_;
  Configuration& configuration_;
};

}  // namespace

absl::StatusOr<Configuration> parseYamlConfiguration(std::string_view text,
                                                     std::string_view file_name) {
  YAML::Node root;
  try {
    root = YAML::Load(std::string(text));
  } catch (const YAML::Exception& error) {
    return errorAt(file_name, error.mark, error.msg);
  }
  Configuration configuration;
  if (root.IsNull()) return configuration;
  if (!root.IsMap()) return errorAt(file_name, root.Mark(), "expected keys and values");
  WIESEL_RETURN_IF_ERROR(Flattener(file_name, configuration).addMap("", root));
  return configuration;
}

Configuration parseLegacyConfiguration(std::string_view text, std::string_view file_name) {
  Configuration configuration;
  for (int line_number = 1; !text.empty(); ++line_number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = internal::trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const size_t separator = line.find(": ");
    const std::string_view key = internal::trim(line.substr(0, separator));
    const std::string_view value =
        separator == std::string_view::npos ? "" : internal::trim(line.substr(separator + 2));
    if (key.empty() || value.empty()) {
      // The text of the line stays out of the log: it may hold a secret.
      WIESEL_LOG(WARN) << absl::StrFormat("Ignored line %d of %s: expected 'key: value'",
                                          line_number, file_name);
      continue;
    }
    configuration.setString(std::string(key), std::string(value));
  }
  return configuration;
}

absl::StatusOr<Configuration> loadConfiguration(const FileSystem& files,
                                                const std::string& directory) {
  const std::string legacy_path = joinPath(directory, kLegacyFileName);
  if (files.exists(legacy_path)) {
    WIESEL_ASSIGN_OR_RETURN(const std::string text, files.readAll(legacy_path));
    WIESEL_LOG(WARN) << absl::StrFormat(
        "Read '%s'; its form is deprecated, and config.yaml is ignored while it exists",
        legacy_path);
    return parseLegacyConfiguration(text, legacy_path);
  }
  const std::string path = joinPath(directory, kFileName);
  absl::StatusOr<std::string> text = files.readAll(path);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(
        absl::StrFormat("the configuration folder '%s' has no %s (and no %s)", directory, kFileName,
                        kLegacyFileName));
  }
  if (!text.ok()) return annotate(text.status(), "reading the configuration");
  return parseYamlConfiguration(*text, path);
}

absl::StatusOr<Configuration> loadProcessConfiguration(
    const FileSystem& files, const std::optional<std::string>& flag_directory,
    const std::optional<std::string>& environment_directory) {
  if (flag_directory.has_value()) return loadConfiguration(files, *flag_directory);
  if (environment_directory.has_value() && !environment_directory->empty()) {
    return loadConfiguration(files, *environment_directory);
  }
  absl::StatusOr<Configuration> configuration = loadConfiguration(files, "conf");
  if (absl::IsNotFound(configuration.status())) return Configuration();
  return configuration;
}

}  // namespace wiesel
