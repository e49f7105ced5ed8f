#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

enum class RestartStrategyType { kNone, kFixedDelay, kFailureRate, kExponentialDelay };

template <>
struct EnumNames<RestartStrategyType> {
  static constexpr std::pair<std::string_view, RestartStrategyType> kNames[] = {
      {"none", RestartStrategyType::kNone},
      {"off", RestartStrategyType::kNone},
      {"disable", RestartStrategyType::kNone},
      {"fixed-delay", RestartStrategyType::kFixedDelay},
      {"fixeddelay", RestartStrategyType::kFixedDelay},
      {"failure-rate", RestartStrategyType::kFailureRate},
      {"failurerate", RestartStrategyType::kFailureRate},
      {"exponential-delay", RestartStrategyType::kExponentialDelay},
      {"exponentialdelay", RestartStrategyType::kExponentialDelay}};
};

/// Unset: exponential-delay with checkpointing, none without.
inline constexpr OptionalConfigOption<RestartStrategyType> kRestartStrategy{"restart-strategy.type",
                                                                            {"restart-strategy"}};

/// Restarts before the job fails for good.
inline constexpr ConfigOption<int32_t> kFixedDelayAttempts{"restart-strategy.fixed-delay.attempts",
                                                           1};
inline constexpr ConfigOption<std::chrono::milliseconds> kFixedDelayDelay{
    "restart-strategy.fixed-delay.delay", std::chrono::seconds(1)};

inline constexpr ConfigOption<int32_t> kFailureRateMaxFailures{
    "restart-strategy.failure-rate.max-failures-per-interval", 1};
inline constexpr ConfigOption<std::chrono::milliseconds> kFailureRateInterval{
    "restart-strategy.failure-rate.failure-rate-interval", std::chrono::minutes(1)};
inline constexpr ConfigOption<std::chrono::milliseconds> kFailureRateDelay{
    "restart-strategy.failure-rate.delay", std::chrono::seconds(1)};

inline constexpr ConfigOption<std::chrono::milliseconds> kExponentialDelayInitialBackoff{
    "restart-strategy.exponential-delay.initial-backoff", std::chrono::seconds(1)};
inline constexpr ConfigOption<std::chrono::milliseconds> kExponentialDelayMaxBackoff{
    "restart-strategy.exponential-delay.max-backoff", std::chrono::minutes(1)};
inline constexpr ConfigOption<double> kExponentialDelayMultiplier{
    "restart-strategy.exponential-delay.backoff-multiplier", 1.5};
/// A job that ran this long without failure starts again from the initial backoff.
inline constexpr ConfigOption<std::chrono::milliseconds> kExponentialDelayResetThreshold{
    "restart-strategy.exponential-delay.reset-backoff-threshold", std::chrono::hours(1)};
/// Largest part of the backoff that is added or taken off at random.
inline constexpr ConfigOption<double> kExponentialDelayJitter{
    "restart-strategy.exponential-delay.jitter-factor", 0.1};
/// Restarts before the job fails for good, counted since the last reset.
inline constexpr ConfigOption<int32_t> kExponentialDelayAttempts{
    "restart-strategy.exponential-delay.attempts-before-reset-backoff",
    std::numeric_limits<int32_t>::max()};

}  // namespace wiesel
