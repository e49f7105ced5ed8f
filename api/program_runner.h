#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "common/config/configuration.h"
#include "runtime/graph/stream_graph.h"

namespace wiesel::internal {

/// How a job ended that did not fail.
struct ProgramResult {
  std::string job_id;
  int64_t runtime_ms = 0;
};

/// The settings that this process begins with: the configuration file's, or what `wiesel run` or a
/// TaskManager handed over. Reports unknown keys once. Errors name the file or key.
absl::StatusOr<Configuration> processConfiguration();

/// Checks the settings that a program gave. Errors name key, value and expected form.
absl::Status checkProgramConfiguration(const Configuration& configuration);

/// Runs a program as this process was started to: embedded, as the client of a cluster, or as a
/// worker (then it does not return).
///
/// Errors: InvalidArgument for a wrong program; else why the job did not finish, root cause first.
absl::StatusOr<ProgramResult> runProgram(runtime::StreamGraph program,
                                         const Configuration& configuration,
                                         const std::string& job_name);

}  // namespace wiesel::internal
