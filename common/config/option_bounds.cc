#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/config/checkpointing_options.h"
#include "common/config/cluster_options.h"
#include "common/config/high_availability_options.h"
#include "common/config/known_option_rows.h"
#include "common/config/memory_options.h"
#include "common/config/pipeline_options.h"
#include "common/config/rest_options.h"
#include "common/config/restart_options.h"
#include "common/config/state_options.h"
#include "common/max_parallelism.h"

namespace wiesel::internal {
namespace {

using std::chrono::milliseconds;

class BoundsChecker {
 public:
  BoundsChecker(const Configuration& configuration, std::vector<std::string>& errors)
      : configuration_(configuration), errors_(errors) {}

  template <class T>
  void require(const ConfigOption<T>& option, bool (*holds)(T), std::string_view form) {
    const T value = configuration_.get(option);
    if (!holds(value)) reject(option.key, ConfigValue<T>::format(value), form);
  }
  template <class T>
  void require(const OptionalConfigOption<T>& option, bool (*holds)(T), std::string_view form) {
    const std::optional<T> value = configuration_.get(option);
    if (value.has_value() && !holds(*value)) {
      reject(option.key, ConfigValue<T>::format(*value), form);
    }
  }

  void reject(std::string_view key, std::string_view value, std::string_view form) {
    errors_.push_back(ConfigurationError(key, value, form).what());
  }

  const Configuration& configuration() const { return configuration_; }

 private:
  const Configuration& configuration_;
  std::vector<std::string>& errors_;
};

bool isPositive(int32_t value) { return value >= 1; }
bool isNotNegative(int32_t value) { return value >= 0; }
bool isPort(int32_t value) { return value >= 0 && value <= 65535; }
bool isFraction(double value) { return value >= 0 && value <= 1; }
bool isAtLeastTenMs(milliseconds value) { return value.count() >= 10; }

constexpr std::string_view kPositive = "at least 1";
constexpr std::string_view kNotNegative = "0 or more";
constexpr std::string_view kPort = "a port (0 to 65535)";
constexpr std::string_view kFraction = "a number from 0 to 1";
constexpr std::string_view kAtLeastTenMs = "at least 10 ms";

void checkCluster(BoundsChecker& checker) {
  checker.require(kJobManagerPort, isPort, kPort);
  checker.require(kJobManagerBindPort, isPort, kPort);
  checker.require(kTaskManagerDataPort, isPort, kPort);
  checker.require(kRestPort, isPort, kPort);
  checker.require(kTaskSlots, isPositive, kPositive);
  checker.require(kManagedMemoryFraction, isFraction, kFraction);
  checker.require(kNetworkMemoryFraction, isFraction, kFraction);

  const milliseconds interval = checker.configuration().get(kHeartbeatInterval);
  const milliseconds timeout = checker.configuration().get(kHeartbeatTimeout);
  if (interval.count() < 1) {
    checker.reject(kHeartbeatInterval.key, ConfigValue<milliseconds>::format(interval),
                   "at least 1 ms");
  }
  if (timeout <= interval) {
    checker.reject(
        kHeartbeatTimeout.key, ConfigValue<milliseconds>::format(timeout),
        "more than heartbeat.interval, which is " + ConfigValue<milliseconds>::format(interval));
  }
  const bool recovers_jobs =
      checker.configuration().get(kHighAvailability) != HighAvailabilityType::kNone;
  if (recovers_jobs && !checker.configuration().contains(kHighAvailabilityStorageDirectory)) {
    checker.reject(kHighAvailabilityStorageDirectory.key, "",
                   "a folder, since high-availability.type is set");
  }
}

void checkJob(BoundsChecker& checker) {
  checker.require(kDefaultParallelism, isPositive, kPositive);
  checker.require(
      kMaxParallelism,
      +[](int32_t value) { return value == -1 || (value >= 1 && value <= kMaxMaxParallelism); },
      "1 to " + std::to_string(kMaxMaxParallelism) + ", or -1 to leave the choice to Wiesel");
  checker.require(
      kRuntimeMode, +[](RuntimeMode mode) { return mode == RuntimeMode::kStreaming; },
      "STREAMING: batch execution does not exist here");

  checker.require(kCheckpointingInterval, isAtLeastTenMs, kAtLeastTenMs);
  checker.require(kCheckpointingTimeout, isAtLeastTenMs, kAtLeastTenMs);
  checker.require(kMaxConcurrentCheckpoints, isPositive, kPositive);
  checker.require(kTolerableFailedCheckpoints, isNotNegative, kNotNegative);
  checker.require(kRetainedCheckpoints, isPositive, kPositive);
  checker.require(
      kClaimMode, +[](ClaimMode mode) { return mode != ClaimMode::kLegacy; },
      "NO_CLAIM or CLAIM: LEGACY does not exist here");

  checker.require(kRocksDbWriteBufferRatio, isFraction, kFraction);
  checker.require(kRocksDbHighPriorityPoolRatio, isFraction, kFraction);
}

void checkRestart(BoundsChecker& checker) {
  checker.require(kFixedDelayAttempts, isNotNegative, kNotNegative);
  checker.require(kFailureRateMaxFailures, isPositive, kPositive);
  checker.require(
      kExponentialDelayInitialBackoff, +[](milliseconds value) { return value.count() >= 1; },
      "at least 1 ms");
  checker.require(
      kExponentialDelayMultiplier, +[](double value) { return value >= 1; }, "at least 1");
  checker.require(kExponentialDelayJitter, isFraction, kFraction);
  checker.require(kExponentialDelayAttempts, isPositive, kPositive);

  const milliseconds initial = checker.configuration().get(kExponentialDelayInitialBackoff);
  const milliseconds max = checker.configuration().get(kExponentialDelayMaxBackoff);
  if (max < initial) {
    checker.reject(kExponentialDelayMaxBackoff.key, ConfigValue<milliseconds>::format(max),
                   "at least restart-strategy.exponential-delay.initial-backoff, which is " +
                       ConfigValue<milliseconds>::format(initial));
  }
}

void checkSecurity(BoundsChecker& checker) {
  for (const std::string_view key :
       {"security.ssl.enabled", "security.ssl.internal.enabled", "security.ssl.rest.enabled"}) {
    const std::optional<std::string> value = checker.configuration().getString(key);
    if (value.has_value() && ConfigValue<bool>::parse(*value) != false) {
      checker.reject(key, *value, "false: connections cannot be encrypted yet");
    }
  }
}

}  // namespace

void checkOptionBounds(const Configuration& configuration, std::vector<std::string>& errors) {
  BoundsChecker checker(configuration, errors);
  checkCluster(checker);
  checkJob(checker);
  checkRestart(checker);
  checkSecurity(checker);
}

}  // namespace wiesel::internal
