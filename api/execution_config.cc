#include "api/execution_config.h"

#include <stdexcept>
#include <vector>

#include "common/config/pipeline_options.h"

namespace wiesel {

ExecutionConfig& ExecutionConfig::setParallelism(int parallelism) {
  if (parallelism < 1) {
    throw std::invalid_argument("setParallelism() needs at least 1, got " +
                                std::to_string(parallelism));
  }
  state_->configuration.set(kDefaultParallelism, parallelism);
  return *this;
}

int ExecutionConfig::getParallelism() const {
  return state_->configuration.get(kDefaultParallelism);
}

ExecutionConfig& ExecutionConfig::setMaxParallelism(int max_parallelism) {
  state_->configuration.set(kMaxParallelism, max_parallelism);
  return *this;
}

int ExecutionConfig::getMaxParallelism() const {
  return state_->configuration.get(kMaxParallelism);
}

ExecutionConfig& ExecutionConfig::setAutoWatermarkInterval(std::chrono::milliseconds interval) {
  if (interval.count() < 0) {
    throw std::invalid_argument("setAutoWatermarkInterval() needs at least 0 ms, got " +
                                std::to_string(interval.count()) + " ms");
  }
  state_->configuration.set(kAutoWatermarkInterval, interval);
  return *this;
}

std::chrono::milliseconds ExecutionConfig::getAutoWatermarkInterval() const {
  return state_->configuration.get(kAutoWatermarkInterval);
}

ExecutionConfig& ExecutionConfig::setGlobalJobParameters(
    const std::map<std::string, std::string>& parameters) {
  // A map may also stand in entries below the key, one a parameter.
  const std::string below = std::string(kGlobalJobParameters.key) + ".";
  for (const std::string& key : state_->configuration.keys()) {
    if (key.starts_with(below)) state_->configuration.remove(key);
  }
  state_->configuration.set(kGlobalJobParameters, parameters);
  return *this;
}

std::map<std::string, std::string> ExecutionConfig::getGlobalJobParameters() const {
  return state_->configuration.get(kGlobalJobParameters)
      .value_or(std::map<std::string, std::string>());
}

}  // namespace wiesel
