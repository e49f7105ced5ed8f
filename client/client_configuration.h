#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/command_line.h"
#include "common/config/configuration.h"

namespace wiesel::client {

/// The configuration of a command: the file (--configDir, WIESEL_CONF_DIR or ./conf), then -D, then
/// the options that stand for keys (-m, -p, -s, -n, --claimMode). Errors name file or key.
absl::StatusOr<Configuration> configurationOf(const CommandLine& line);

/// The same, checked, with the warnings logged: for a process of the cluster.
absl::StatusOr<Configuration> processConfigurationOf(const CommandLine& line);

/// host:port of the JobManager's REST server.
std::string restAddressOf(const Configuration& configuration);

}  // namespace wiesel::client
