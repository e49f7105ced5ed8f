#include "runtime/graph/job_settings.h"

#include "common/config/checkpointing_options.h"
#include "common/config/config_value.h"
#include "common/config/restart_options.h"
#include "common/config/state_options.h"

namespace wiesel::runtime {
namespace {

std::string restartType(const Configuration& configuration) {
  const auto type = configuration.get(kRestartStrategy);
  if (!type) return "";
  switch (*type) {
    case RestartStrategyType::kNone:
      return "none";
    case RestartStrategyType::kFixedDelay:
      return "fixed-delay";
    case RestartStrategyType::kFailureRate:
      return "failure-rate";
    case RestartStrategyType::kExponentialDelay:
      return "exponential-delay";
  }
  return "";
}

}  // namespace

proto::CheckpointSettings checkpointSettings(const Configuration& configuration) {
  proto::CheckpointSettings settings;
  if (const auto interval = configuration.get(kCheckpointingInterval)) {
    settings.set_interval_ms(interval->count());
  }
  settings.set_timeout_ms(configuration.get(kCheckpointingTimeout).count());
  settings.set_min_pause_ms(configuration.get(kCheckpointingMinPause).count());
  settings.set_max_concurrent(configuration.get(kMaxConcurrentCheckpoints));
  settings.set_tolerable_failures(configuration.get(kTolerableFailedCheckpoints));
  settings.set_exactly_once(configuration.get(kCheckpointingMode) ==
                            CheckpointingMode::EXACTLY_ONCE);
  settings.set_directory(configuration.get(kCheckpointDirectory).value_or(""));
  settings.set_retention(
      ConfigValue<CheckpointRetention>::format(configuration.get(kCheckpointRetention)));
  settings.set_num_retained(configuration.get(kRetainedCheckpoints));
  settings.set_inline_threshold_bytes(configuration.get(kCheckpointInlineThreshold).bytes);
  settings.set_state_backend(
      ConfigValue<StateBackendType>::format(configuration.get(kStateBackend)));
  return settings;
}

proto::RestartSettings restartSettings(const Configuration& configuration) {
  proto::RestartSettings settings;
  settings.set_type(restartType(configuration));
  settings.set_attempts(configuration.get(kFixedDelayAttempts));
  settings.set_delay_ms(configuration.get(kFixedDelayDelay).count());
  settings.set_initial_backoff_ms(configuration.get(kExponentialDelayInitialBackoff).count());
  settings.set_max_backoff_ms(configuration.get(kExponentialDelayMaxBackoff).count());
  settings.set_backoff_multiplier(configuration.get(kExponentialDelayMultiplier));
  settings.set_reset_backoff_threshold_ms(
      configuration.get(kExponentialDelayResetThreshold).count());
  settings.set_jitter_factor(configuration.get(kExponentialDelayJitter));
  settings.set_max_failures_per_interval(configuration.get(kFailureRateMaxFailures));
  settings.set_failure_rate_interval_ms(configuration.get(kFailureRateInterval).count());
  if (const auto attempts = configuration.getOptional(kExponentialDelayAttempts)) {
    settings.set_attempts_before_reset_backoff(*attempts);
  }
  if (settings.type() == "failure-rate") {
    settings.set_delay_ms(configuration.get(kFailureRateDelay).count());
  }
  return settings;
}

}  // namespace wiesel::runtime
