#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/config/configuration.h"
#include "common/filesystem/file_system.h"

namespace wiesel {

/// Reads the configuration file in `directory`: flink-conf.yaml when there is one (deprecated, and
/// config.yaml is then ignored), else config.yaml. NotFound when neither exists, InvalidArgument
/// with file and line when it cannot be parsed. Values are not checked here; see known_options.h.
///
/// Flink: GlobalConfiguration (1.20).
absl::StatusOr<Configuration> loadConfiguration(const FileSystem& files,
                                                const std::string& directory);

/// The configuration of a process: from `flag_directory` (--configDir), else from
/// `environment_directory` (WIESEL_CONF_DIR), else from ./conf. The first two must hold a file;
/// without ./conf the configuration is empty.
absl::StatusOr<Configuration> loadProcessConfiguration(
    const FileSystem& files, const std::optional<std::string>& flag_directory,
    const std::optional<std::string>& environment_directory);

/// Parses config.yaml: YAML whose nested and dotted keys mean the same; lists become `a;b`.
/// `file_name` is for errors.
absl::StatusOr<Configuration> parseYamlConfiguration(std::string_view text,
                                                     std::string_view file_name);

/// Parses flink-conf.yaml: one `key: value` a line, `#` starts a comment. Lines of another form are
/// ignored with a warning.
Configuration parseLegacyConfiguration(std::string_view text, std::string_view file_name);

}  // namespace wiesel
