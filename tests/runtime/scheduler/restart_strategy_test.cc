#include "runtime/scheduler/restart_strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using ::testing::HasSubstr;
using wiesel::testing::StatusIs;

struct Failure {
  int64_t at_ms;
  std::optional<int64_t> delay_ms;  // nullopt: given up.
};
struct Rule {
  std::string name;
  proto::RestartSettings settings;
  bool checkpointing;
  std::vector<Failure> failures;
  std::string text;
};

proto::RestartSettings none() {
  proto::RestartSettings settings;
  settings.set_type("none");
  return settings;
}

proto::RestartSettings fixedDelay(int32_t attempts, int64_t delay_ms) {
  proto::RestartSettings settings;
  settings.set_type("fixed-delay");
  settings.set_attempts(attempts);
  settings.set_delay_ms(delay_ms);
  return settings;
}

proto::RestartSettings failureRate(int32_t max_failures, int64_t interval_ms, int64_t delay_ms) {
  proto::RestartSettings settings;
  settings.set_type("failure-rate");
  settings.set_max_failures_per_interval(max_failures);
  settings.set_failure_rate_interval_ms(interval_ms);
  settings.set_delay_ms(delay_ms);
  return settings;
}

proto::RestartSettings exponentialDelay(int32_t max_attempts = 0, double jitter = 0) {
  proto::RestartSettings settings;
  settings.set_type("exponential-delay");
  settings.set_initial_backoff_ms(1'000);
  settings.set_max_backoff_ms(5'000);
  settings.set_backoff_multiplier(2);
  settings.set_reset_backoff_threshold_ms(60'000);
  settings.set_jitter_factor(jitter);
  settings.set_attempts_before_reset_backoff(max_attempts);
  return settings;
}

std::vector<Rule> rules() {
  return {
      {"NoneGivesUpAtOnce", none(), true, {{0, std::nullopt}}, "NoRestartBackoffTimeStrategy"},
      {"UnsetWithoutCheckpointsIsNone",
       {},
       false,
       {{0, std::nullopt}},
       "NoRestartBackoffTimeStrategy"},
      {"FixedDelayAllowsThatManyRestartsEver",
       fixedDelay(2, 10'000),
       false,
       {{0, 10'000}, {20'000, 10'000}, {100'000'000, std::nullopt}},
       "FixedDelayRestartBackoffTimeStrategy(maxNumberRestartAttempts=2, backoffTimeMS=10000)"},
      {"FailureRateCountsWithinTheInterval",
       failureRate(2, 1'000, 10),
       false,
       {{0, 10}, {500, 10}, {1'001, 10}, {1'400, std::nullopt}},
       "FailureRateRestartBackoffTimeStrategy(FailureRateRestartBackoffTimeStrategy("
       "failuresIntervalMS=1000,backoffTimeMS=10,maxFailuresPerInterval=2)"},
      {"ExponentialDelayGrowsToItsMaximum",
       exponentialDelay(),
       true,
       {{0, 1'000}, {1'001, 2'000}, {3'002, 4'000}, {7'003, 5'000}},
       "ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=1000, maxBackoffMS=5000, "
       "backoffMultiplier=2.0, resetBackoffThresholdMS=60000, jitterFactor=0.0, "
       "attemptsBeforeResetBackoff=2147483647, currentRestartAttempt=4, "
       "nextRestartTimestamp=12003)"},
      {"ExponentialDelayBeginsAnewAfterAQuietTime",
       exponentialDelay(),
       true,
       {{0, 1'000}, {1'001, 2'000}, {63'001, 1'000}},
       "ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=1000, maxBackoffMS=5000, "
       "backoffMultiplier=2.0, resetBackoffThresholdMS=60000, jitterFactor=0.0, "
       "attemptsBeforeResetBackoff=2147483647, currentRestartAttempt=1, "
       "nextRestartTimestamp=64001)"},
      {"ExponentialDelayMergesFailuresBeforeTheRestart",
       exponentialDelay(1),
       true,
       {{0, 1'000}, {400, 600}, {1'000, 0}, {1'001, std::nullopt}},
       "ExponentialDelayRestartBackoffTimeStrategy(initialBackoffMS=1000, maxBackoffMS=5000, "
       "backoffMultiplier=2.0, resetBackoffThresholdMS=60000, jitterFactor=0.0, "
       "attemptsBeforeResetBackoff=1, currentRestartAttempt=2, nextRestartTimestamp=3001)"},
  };
}

class RestartStrategyTest : public ::testing::TestWithParam<Rule> {};

TEST_P(RestartStrategyTest, DecidesAsFlinkDoes) {
  const Rule& rule = GetParam();
  SeededRandom random(1);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RestartStrategy> strategy,
                       makeRestartStrategy(rule.settings, rule.checkpointing, random));
  for (const Failure& failure : rule.failures) {
    EXPECT_EQ(strategy->onFailure(failure.at_ms), failure.delay_ms) << "at " << failure.at_ms;
  }
  EXPECT_EQ(strategy->text(), rule.text);
}

INSTANTIATE_TEST_SUITE_P(Flink, RestartStrategyTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(RestartStrategyDefaultTest, WithCheckpointsItIsFlinksExponentialDelay) {
  SeededRandom random(1);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RestartStrategy> strategy,
                       makeRestartStrategy({}, /*checkpointing=*/true, random));
  EXPECT_THAT(strategy->text(),
              HasSubstr("initialBackoffMS=1000, maxBackoffMS=60000, backoffMultiplier=1.5, "
                        "resetBackoffThresholdMS=3600000, jitterFactor=0.1, "
                        "attemptsBeforeResetBackoff=2147483647"));
}

TEST(RestartStrategyJitterTest, StaysWithinItsPartOfTheDelay) {
  SeededRandom random(1);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RestartStrategy> strategy,
                       makeRestartStrategy(exponentialDelay(0, 0.25), true, random));
  int64_t now_ms = 0;
  EXPECT_TRUE(strategy->onFailure(now_ms).has_value());
  std::vector<int64_t> delays_ms;
  for (int round = 0; round < 200; ++round) {
    now_ms += 100'000;  // Long enough to begin anew, so the delay is the second of a run each time.
    ASSERT_TRUE(strategy->onFailure(now_ms).has_value());
    now_ms += 1'500;
    delays_ms.push_back(strategy->onFailure(now_ms).value());
  }
  const auto [least, most] = std::minmax_element(delays_ms.begin(), delays_ms.end());
  EXPECT_GE(*least, 1'500);
  EXPECT_LT(*least, 1'700);
  EXPECT_LE(*most, 2'500);
  EXPECT_GT(*most, 2'300);
}

struct BadSettings {
  std::string name;
  proto::RestartSettings settings;
  std::string message;
};

class RestartSettingsTest : public ::testing::TestWithParam<BadSettings> {};

TEST_P(RestartSettingsTest, AreRefusedByName) {
  SeededRandom random(1);
  EXPECT_THAT(makeRestartStrategy(GetParam().settings, true, random),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

std::vector<BadSettings> badSettings() {
  proto::RestartSettings unknown;
  unknown.set_type("sometimes");
  proto::RestartSettings shrinking = exponentialDelay();
  shrinking.set_backoff_multiplier(1);
  proto::RestartSettings inverted = exponentialDelay();
  inverted.set_max_backoff_ms(10);
  return {
      {"UnknownType", unknown, "restart-strategy.type is 'sometimes'"},
      {"NegativeAttempts", fixedDelay(-1, 0), "restart-strategy.fixed-delay.attempts is -1"},
      {"NegativeDelay", fixedDelay(1, -5), "restart-strategy.fixed-delay.delay is -5 ms"},
      {"NoInterval", failureRate(1, 0, 0), "failure-rate.failure-rate-interval is 0 ms"},
      {"NoFailures", failureRate(0, 1, 0), "failure-rate.max-failures-per-interval is 0"},
      {"Shrinking", shrinking, "exponential-delay.backoff-multiplier is 1.0"},
      {"Inverted", inverted, "exponential-delay.max-backoff is 10 ms"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, RestartSettingsTest, ::testing::ValuesIn(badSettings()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::runtime
