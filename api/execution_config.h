#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "api/environment_state.h"
#include "api/parameter_tool.h"

namespace wiesel {

/// The settings that hold for all operators of a program. A handle: it writes into the
/// configuration of the environment that it is from, and copies mean the same one.
///
/// Errors: std::invalid_argument, or a ConfigurationError of a value that -D or the file gave.
/// Flink:  ExecutionConfig (1.20). Settings that mean nothing here, such as object reuse and the
///         registration of serializers, are missing.
class ExecutionConfig {
 public:
  explicit ExecutionConfig(std::shared_ptr<internal::EnvironmentState> state)
      : state_(std::move(state)) {}

  /// Of operators that are given none; at least 1.
  ExecutionConfig& setParallelism(int parallelism);
  int getParallelism() const;

  /// The number of key groups; -1 when it follows from each operator's parallelism.
  ExecutionConfig& setMaxParallelism(int max_parallelism);
  int getMaxParallelism() const;

  /// How often generators are asked for a watermark; 0: never.
  ExecutionConfig& setAutoWatermarkInterval(std::chrono::milliseconds interval);
  std::chrono::milliseconds getAutoWatermarkInterval() const;

  /// Values that every rich function of the job can read, see RuntimeContext. They replace those
  /// that were set before, also by `pipeline.global-job-parameters`.
  ExecutionConfig& setGlobalJobParameters(const std::map<std::string, std::string>& parameters);
  ExecutionConfig& setGlobalJobParameters(const ParameterTool& parameters) {
    return setGlobalJobParameters(parameters.toMap());
  }
  std::map<std::string, std::string> getGlobalJobParameters() const;

 private:
  std::shared_ptr<internal::EnvironmentState> state_;  // Shared by all handles of one program.
};

}  // namespace wiesel
