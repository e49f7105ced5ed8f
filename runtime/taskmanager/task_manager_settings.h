#pragma once

#include <cstdint>
#include <string>

#include "common/config/configuration.h"
#include "common/random.h"

namespace wiesel::runtime {

/// What a TaskManager takes from its configuration, and from its process.
struct TaskManagerSettings {
  std::string id;
  std::string host;            // Where others reach its workers' data servers.
  std::string bind_host;       // Where these listen.
  std::string master_address;  // host:port of the JobManager's gRPC server.
  int32_t slots = 1;
  int64_t managed_memory_bytes = 0;
  int64_t registration_timeout_ms = 0;
  std::string log_directory;      // For JOB.out and JOB.err.
  std::string working_directory;  // For what workers write; exists.
};

/// Reads everything but the two directories. The id is taskmanager.resource-id, else one that names
/// host and process. Throws ConfigurationError for a malformed value.
TaskManagerSettings taskManagerSettingsFrom(const Configuration& configuration,
                                            RandomSource& random);

/// taskmanager.memory.managed.size, else its fraction of the total memory, which without any
/// setting is what Flink's shipped configuration comes to.
int64_t managedMemoryBytesFrom(const Configuration& configuration);

/// host:port of the JobManager's gRPC server.
std::string jobManagerAddressFrom(const Configuration& configuration);

}  // namespace wiesel::runtime
