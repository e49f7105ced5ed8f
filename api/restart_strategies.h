#pragma once

#include <chrono>
#include <map>
#include <string>

namespace wiesel {

/// What happens after a failure, as configuration entries below `restart-strategy`.
/// Flink: RestartStrategies (1.20).
class RestartStrategies {
 public:
  using Settings = std::map<std::string, std::string>;

  static Settings noRestart() { return {{"restart-strategy.type", "none"}}; }

  /// Starts the job again after `delay`, up to `attempts` times.
  static Settings fixedDelayRestart(int attempts, std::chrono::milliseconds delay) {
    return {{"restart-strategy.type", "fixed-delay"},
            {"restart-strategy.fixed-delay.attempts", std::to_string(attempts)},
            {"restart-strategy.fixed-delay.delay", std::to_string(delay.count()) + " ms"}};
  }
};

}  // namespace wiesel
