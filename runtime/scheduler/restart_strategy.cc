#include "runtime/scheduler/restart_strategy.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"

namespace wiesel::runtime {
namespace {

class NoRestart final : public RestartStrategy {
 public:
  std::optional<int64_t> onFailure(int64_t) override { return std::nullopt; }
  std::string text() const override { return "NoRestartBackoffTimeStrategy"; }
};

class FixedDelay final : public RestartStrategy {
 public:
  FixedDelay(int32_t max_attempts, int64_t delay_ms)
      : max_attempts_(max_attempts), delay_ms_(delay_ms) {}

  std::optional<int64_t> onFailure(int64_t) override {
    if (++failures_ > max_attempts_) return std::nullopt;
    return delay_ms_;
  }

  std::string text() const override {
    return absl::StrFormat(
        "FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=%d, backoffTimeMS=%d)",
        max_attempts_, delay_ms_);
  }

 private:
  const int32_t max_attempts_;
  const int64_t delay_ms_;
  int64_t failures_ = 0;
};

/// Gives up at a failure whose max_failures-th predecessor lies within the interval.
class FailureRate final : public RestartStrategy {
 public:
  FailureRate(int32_t max_failures, int64_t interval_ms, int64_t delay_ms)
      : max_failures_(max_failures), interval_ms_(interval_ms), delay_ms_(delay_ms) {}

  std::optional<int64_t> onFailure(int64_t now_ms) override {
    if (isFull()) failures_ms_.pop_front();
    failures_ms_.push_back(now_ms);
    if (isFull() && now_ms - failures_ms_.front() <= interval_ms_) return std::nullopt;
    return delay_ms_;
  }

  std::string text() const override {
    // Flink prints the name twice and one parenthesis too few; scripts look for its text.
    return absl::StrFormat(
        "FailureRateRestartBackoffTimeStrategy(FailureRateRestartBackoffTimeStrategy("
        "failuresIntervalMS=%d,backoffTimeMS=%d,maxFailuresPerInterval=%d)",
        interval_ms_, delay_ms_, max_failures_);
  }

 private:
  bool isFull() const { return failures_ms_.size() > static_cast<size_t>(max_failures_); }

  const int32_t max_failures_;
  const int64_t interval_ms_;
  const int64_t delay_ms_;
  std::deque<int64_t> failures_ms_;  // The newest, at most max_failures_ + 1.
};

struct Backoff {
  int64_t initial_ms;
  int64_t max_ms;
  double multiplier;
  int64_t reset_threshold_ms;
  double jitter_factor;
  int32_t max_attempts;
};

std::string javaText(double value) {
  std::string text = absl::StrFormat("%.15g", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

class ExponentialDelay final : public RestartStrategy {
 public:
  ExponentialDelay(const Backoff& backoff, RandomSource& random)
      : backoff_(backoff), random_(random) {}

  std::optional<int64_t> onFailure(int64_t now_ms) override {
    // A failure before the restart that an earlier one asked for belongs to the same attempt.
    if (now_ms > next_restart_ms_) beginAttempt(now_ms);
    if (attempt_ > backoff_.max_attempts) return std::nullopt;
    return next_restart_ms_ - now_ms;
  }

  std::string text() const override {
    return absl::StrFormat(
        "ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=%d, maxBackoffMS=%d, "
        "backoffMultiplier=%s, resetBackoffThresholdMS=%d, jitterFactor=%s, "
        "attemptsBeforeResetBackoff=%d, currentRestartAttempt=%d, nextRestartTimestamp=%d)",
        backoff_.initial_ms, backoff_.max_ms, javaText(backoff_.multiplier),
        backoff_.reset_threshold_ms, javaText(backoff_.jitter_factor), backoff_.max_attempts,
        attempt_, next_restart_ms_);
  }

 private:
  void beginAttempt(int64_t now_ms) {
    if (now_ms - next_restart_ms_ >= backoff_.reset_threshold_ms) attempt_ = 0;
    next_restart_ms_ = now_ms + delayOf(attempt_);
    ++attempt_;
  }

  int64_t delayOf(int32_t attempt) {
    const double grown = static_cast<double>(backoff_.initial_ms) *
                         std::pow(backoff_.multiplier, static_cast<double>(attempt));
    // Past the maximum the exact value no longer matters, and the sum below must not overflow.
    const int64_t base =
        static_cast<int64_t>(std::min(grown, 2.0 * static_cast<double>(backoff_.max_ms) + 1.0));
    return std::max(backoff_.initial_ms, std::min(base + jitterOf(base), backoff_.max_ms));
  }

  /// Uniform in [-n, n], n being that part of the delay which jitter-factor names.
  int64_t jitterOf(int64_t delay_ms) {
    const auto bound = static_cast<int64_t>(static_cast<double>(delay_ms) * backoff_.jitter_factor);
    if (bound == 0) return 0;
    return static_cast<int64_t>(random_.next() % static_cast<uint64_t>(2 * bound + 1)) - bound;
  }

  const Backoff backoff_;
  RandomSource& random_;
  int32_t attempt_ = 0;
  int64_t next_restart_ms_ = std::numeric_limits<int32_t>::min();
};

absl::Status require(bool holds, const char* option, const std::string& value,
                     const char* expected) {
  if (holds) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("restart-strategy.%s is %s: it has to be %s", option, value, expected));
}

absl::StatusOr<std::unique_ptr<RestartStrategy>> makeFixedDelay(
    const proto::RestartSettings& settings) {
  absl::Status status = require(settings.attempts() >= 0, "fixed-delay.attempts",
                                std::to_string(settings.attempts()), "at least 0");
  status.Update(require(settings.delay_ms() >= 0, "fixed-delay.delay",
                        absl::StrFormat("%d ms", settings.delay_ms()), "at least 0 ms"));
  if (!status.ok()) return status;
  return std::make_unique<FixedDelay>(settings.attempts(), settings.delay_ms());
}

absl::StatusOr<std::unique_ptr<RestartStrategy>> makeFailureRate(
    const proto::RestartSettings& settings) {
  absl::Status status =
      require(settings.max_failures_per_interval() > 0, "failure-rate.max-failures-per-interval",
              std::to_string(settings.max_failures_per_interval()), "over 0");
  status.Update(
      require(settings.failure_rate_interval_ms() > 0, "failure-rate.failure-rate-interval",
              absl::StrFormat("%d ms", settings.failure_rate_interval_ms()), "over 0 ms"));
  status.Update(require(settings.delay_ms() >= 0, "failure-rate.delay",
                        absl::StrFormat("%d ms", settings.delay_ms()), "at least 0 ms"));
  if (!status.ok()) return status;
  return std::make_unique<FailureRate>(settings.max_failures_per_interval(),
                                       settings.failure_rate_interval_ms(), settings.delay_ms());
}

absl::StatusOr<std::unique_ptr<RestartStrategy>> makeExponentialDelay(const Backoff& backoff,
                                                                      RandomSource& random) {
  const auto ms = [](int64_t value) { return absl::StrFormat("%d ms", value); };
  absl::Status status = require(backoff.initial_ms >= 1, "exponential-delay.initial-backoff",
                                ms(backoff.initial_ms), "at least 1 ms");
  status.Update(require(backoff.initial_ms <= backoff.max_ms, "exponential-delay.max-backoff",
                        ms(backoff.max_ms), "at least initial-backoff"));
  status.Update(require(backoff.multiplier > 1, "exponential-delay.backoff-multiplier",
                        javaText(backoff.multiplier), "over 1"));
  status.Update(require(backoff.reset_threshold_ms >= 1,
                        "exponential-delay.reset-backoff-threshold", ms(backoff.reset_threshold_ms),
                        "at least 1 ms"));
  status.Update(require(backoff.jitter_factor >= 0 && backoff.jitter_factor <= 1,
                        "exponential-delay.jitter-factor", javaText(backoff.jitter_factor),
                        "from 0 to 1"));
  status.Update(require(backoff.max_attempts >= 1,
                        "exponential-delay.attempts-before-reset-backoff",
                        std::to_string(backoff.max_attempts), "at least 1"));
  if (!status.ok()) return status;
  return std::make_unique<ExponentialDelay>(backoff, random);
}

constexpr int32_t kNoLimit = std::numeric_limits<int32_t>::max();
constexpr Backoff kFlinkDefault = {1000, 60'000, 1.5, 3'600'000, 0.1, kNoLimit};

}  // namespace

absl::StatusOr<std::unique_ptr<RestartStrategy>> makeRestartStrategy(
    const proto::RestartSettings& settings, bool checkpointing, RandomSource& random) {
  const std::string& type = settings.type();
  if (type.empty() && checkpointing) return makeExponentialDelay(kFlinkDefault, random);
  if (type.empty() || type == "none" || type == "off" || type == "disable") {
    return std::make_unique<NoRestart>();
  }
  if (type == "fixed-delay") return makeFixedDelay(settings);
  if (type == "failure-rate") return makeFailureRate(settings);
  if (type == "exponential-delay") {
    const int32_t attempts = settings.attempts_before_reset_backoff();
    return makeExponentialDelay(
        {settings.initial_backoff_ms(), settings.max_backoff_ms(), settings.backoff_multiplier(),
         settings.reset_backoff_threshold_ms(), settings.jitter_factor(),
         attempts == 0 ? kNoLimit : attempts},
        random);
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("restart-strategy.type is '%s': it has to be one of none, fixed-delay, "
                      "failure-rate, exponential-delay",
                      type));
}

}  // namespace wiesel::runtime
