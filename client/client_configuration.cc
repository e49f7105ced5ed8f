#include "client/client_configuration.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/config/checkpointing_options.h"
#include "common/config/config_loader.h"
#include "common/config/dynamic_properties.h"
#include "common/config/known_options.h"
#include "common/config/pipeline_options.h"
#include "common/config/rest_options.h"
#include "common/filesystem/absolute_path.h"
#include "common/filesystem/local_file_system.h"
#include "common/log.h"
#include "common/status_macros.h"

namespace wiesel::client {

namespace {

constexpr char kLoopback[] = "127.0.0.1";

absl::Status setRestAddress(const std::string& address, Configuration& configuration) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("-m '%s' is no address; write HOST:PORT", address));
  }
  configuration.setString(std::string(kRestAddress.key), address.substr(0, colon));
  configuration.setString(std::string(kRestPort.key), address.substr(colon + 1));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Configuration> configurationOf(const CommandLine& line) {
  const char* directory = std::getenv("WIESEL_CONF_DIR");
  WIESEL_ASSIGN_OR_RETURN(
      Configuration configuration,
      loadProcessConfiguration(
          LocalFileSystem(), line.configuration_directory,
          directory == nullptr ? std::nullopt : std::optional<std::string>(directory)));
  std::vector<std::string> properties;
  for (const std::string& property : line.properties) properties.push_back("-D" + property);
  const DynamicProperties dynamic = takeDynamicProperties(properties);
  if (!dynamic.error.empty()) return absl::InvalidArgumentError(dynamic.error);
  configuration.merge(dynamic.configuration);

  if (!line.jobmanager.empty()) {
    WIESEL_RETURN_IF_ERROR(setRestAddress(line.jobmanager, configuration));
  }
  if (line.parallelism.has_value()) configuration.set(kDefaultParallelism, *line.parallelism);
  if (line.savepoint.has_value()) {
    if (line.savepoint->empty()) {
      return absl::InvalidArgumentError(
          "-s '' is no path; give the directory of a checkpoint, or leave -s out to start from "
          "nothing");
    }
    // Meant from here, and read by the JobManager elsewhere.
    configuration.set(kStateRecoveryPath, absolutePath(*line.savepoint));
  }
  if (line.shutdown_on_attached_exit) configuration.set(kShutdownOnAttachedExit, true);
  if (line.allow_non_restored_state) configuration.set(kIgnoreUnclaimedState, true);
  if (!line.claim_mode.empty()) {
    configuration.setString(std::string(kClaimMode.key), line.claim_mode);
  }
  return configuration;
}

absl::StatusOr<Configuration> processConfigurationOf(const CommandLine& line) {
  WIESEL_ASSIGN_OR_RETURN(Configuration configuration, configurationOf(line));
  const ConfigurationCheck check = checkConfiguration(configuration);
  WIESEL_RETURN_IF_ERROR(check.status);
  for (const std::string& warning : check.warnings) WIESEL_LOG(WARN) << warning;
  return configuration;
}

std::string restAddressOf(const Configuration& configuration) {
  return absl::StrFormat("%s:%d", configuration.get(kRestAddress).value_or(kLoopback),
                         configuration.get(kRestPort));
}

}  // namespace wiesel::client
