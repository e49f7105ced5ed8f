#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/config/configuration.h"

namespace wiesel::runtime {

// How a job's binary learns what it was started for. Without any of these variables it runs the job
// embedded, in its own process. Nothing else may read or set variables that begin with
// WIESEL_WORKER or WIESEL_CLIENT.

/// Variables of a process, to be set for one that is started.
using EnvironmentVariables = std::map<std::string, std::string>;

/// A binary that a TaskManager started to serve the tasks of one job. Its arguments are the
/// client's.
struct WorkerEnvironment {
  std::string job_id;
  std::string worker_id;
  std::string task_manager_id;
  std::string master_address;  // host:port of the JobManager's gRPC server.
  std::string host;            // Where others reach its data server.
  std::string bind_host;       // Where that listens.
  int64_t managed_memory_bytes = 0;
  std::string working_directory;  // Of its own, for state backends; removed by the TaskManager.
  Configuration configuration;    // As the client had it: main() builds the same graph from it.

  /// All but the configuration, which comes with the client's variables.
  EnvironmentVariables toVariables() const;

  /// Nullopt when this process is no worker.
  static std::optional<WorkerEnvironment> fromProcess();
};

/// A binary that `wiesel run` started: execute() submits the job to a cluster.
struct ClientEnvironment {
  std::string rpc_address;  // host:port of the JobManager's gRPC server.
  bool detached = false;    // execute() returns as soon as the job is accepted.
  int status_fd = -1;       // Where `wiesel run` hears how it went; -1: nowhere.
  /// config.yaml and -D; -p, -s and -n as parallelism.default, execution.state-recovery.path and
  /// execution.state-recovery.ignore-unclaimed-state.
  Configuration configuration;

  EnvironmentVariables toVariables() const;

  /// Nullopt when this process is no client.
  static std::optional<ClientEnvironment> fromProcess();
};

/// True for the names that this header sets: a process that starts a worker or a client does not
/// hand on its own.
bool isJobVariable(const std::string& name);

/// The variables that carry `configuration` to the workers of a submitted job.
EnvironmentVariables configurationVariables(const Configuration& configuration);

}  // namespace wiesel::runtime
