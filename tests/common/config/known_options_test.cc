#include "common/config/known_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/status_matchers.h"

namespace wiesel {
namespace {

using absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::StatusIs;

ConfigurationCheck check(Configuration::Entries entries) {
  return checkConfiguration(Configuration::fromEntries(std::move(entries)));
}

TEST(KnownOptionsTest, EveryKeyStandsOnce) {
  std::set<std::string_view> keys;
  for (const KnownOption& option : knownOptions()) {
    EXPECT_TRUE(keys.insert(option.key).second) << option.key;
  }
  EXPECT_GT(keys.size(), 180u);
}

TEST(KnownOptionsTest, EveryDefaultIsOfItsType) {
  for (const KnownOption& option : knownOptions()) {
    if (option.default_text.empty()) continue;
    EXPECT_TRUE(option.accepts(option.default_text)) << option.key << ": " << option.default_text;
  }
}

TEST(KnownOptionsTest, FindsKeysOldNamesAndPatterns) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"rest.port", "rest.port"},
      {"web.port", "rest.port"},
      {"state.checkpoints.dir", "execution.checkpointing.dir"},
      {"taskmanager.network.memory.fraction", "taskmanager.memory.network.fraction"},
      {"metrics.reporter.prom.port", "metrics.reporter.*"},
      {"state.backend.rocksdb.metrics.block-cache-usage", "state.backend.rocksdb.metrics.*"},
      {"env.java.opts.all", "env.java.opts.*"},
  };
  for (const auto& [key, row] : rows) {
    const KnownOption* option = findKnownOption(key);
    ASSERT_NE(option, nullptr) << key;
    EXPECT_EQ(option->key, row);
  }
  EXPECT_EQ(findKnownOption("rest.prot"), nullptr);
  EXPECT_EQ(findKnownOption("metrics.reporter."), nullptr);
}

TEST(KnownOptionsTest, DefaultsAreFlinks) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"jobmanager.rpc.port", "6123"},
      {"rest.bind-port", "8081"},
      {"execution.checkpointing.timeout", "10 min"},
      {"execution.checkpointing.data-inline-threshold", "20 kb"},
      {"execution.checkpointing.mode", "EXACTLY_ONCE"},
      {"restart-strategy.exponential-delay.backoff-multiplier", "1.5"},
      {"heartbeat.timeout", "50 s"},
      {"taskmanager.memory.segment-size", "32 kb"},
      {"pipeline.auto-watermark-interval", "200 ms"},
      {"state.backend.type", "hashmap"},
      {"restart-strategy.type", ""},
  };
  for (const auto& [key, text] : rows) EXPECT_EQ(findKnownOption(key)->default_text, text) << key;
}

TEST(CheckConfigurationTest, AGoodConfigurationIsQuiet) {
  const ConfigurationCheck result = check({{"parallelism.default", "4"},
                                           {"execution.checkpointing.interval", "10 s"},
                                           {"execution.checkpointing.dir", "file:///x"},
                                           {"restart-strategy.type", "fixed-delay"},
                                           {"rest.port", "0"}});
  EXPECT_OK(result.status);
  EXPECT_THAT(result.warnings, IsEmpty());
  EXPECT_OK(check({}).status);
}

TEST(CheckConfigurationTest, WhatIsInEffectIsQuietAndWhatIsNotIsNamed) {
  EXPECT_THAT(check({{"cluster.evenly-spread-out-slots", "true"},
                     {"execution.runtime-mode", "STREAMING"},
                     {"execution.shutdown-on-attached-exit", "true"},
                     {"jobmanager.rpc.bind-port", "6124"},
                     {"pipeline.auto-generate-uids", "false"},
                     {"process.working-dir", "/x"},
                     {"task.cancellation.timeout", "1000"},
                     {"taskmanager.bind-host", "0.0.0.0"},
                     {"web.exception-history-size", "3"}})
                  .warnings,
              IsEmpty());
  EXPECT_THAT(check({{"execution.checkpointing.storage", "filesystem"},
                     {"execution.state-recovery.claim-mode", "CLAIM"},
                     {"rest.retry.max-attempts", "3"},
                     {"state.backend.rocksdb.localdir", "/x"},
                     {"taskmanager.memory.managed.size", "1 gb"}})
                  .warnings,
              ElementsAre("Configuration keys of Flink without effect in this version: "
                          "execution.checkpointing.storage, execution.state-recovery.claim-mode, "
                          "rest.retry.max-attempts, state.backend.rocksdb.localdir, "
                          "taskmanager.memory.managed.size"));
}

TEST(KnownOptionsTest, WhatAnOptionWithEffectFallsBackToHasAnEffect) {
  for (const KnownOption& option : knownOptions()) {
    if (option.effect != KnownOption::Effect::kYes) continue;
    for (const std::string_view key : option.old_names) {
      if (key.empty()) continue;
      const KnownOption* row = findKnownOption(key);
      ASSERT_NE(row, nullptr) << key;
      EXPECT_EQ(row->effect, KnownOption::Effect::kYes) << key << ", fallback of " << option.key;
    }
  }
}

struct ErrorRule {
  std::string key;
  std::string value;
  std::string expected;
};

class ConfigurationErrorTest : public ::testing::TestWithParam<ErrorRule> {};

TEST_P(ConfigurationErrorTest, NamesKeyValueAndForm) {
  const auto& [key, value, expected] = GetParam();
  EXPECT_THAT(
      check({{key, value}}).status,
      StatusIs(StatusCode::kInvalidArgument, "configuration key '" + key + "' has the value '" +
                                                 value + "'; expected " + expected));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, ConfigurationErrorTest,
    ::testing::Values(
        ErrorRule{"parallelism.default", "many", "an integer of 32 bits"},
        ErrorRule{"parallelism.default", "0", "at least 1"},
        ErrorRule{"web.submit.enable", "yes", "true or false"},
        ErrorRule{"execution.checkpointing.interval", "PT10S",
                  "a duration such as '500 ms', '10 s', '1 min', '2 h' or '1 d'"},
        ErrorRule{"execution.checkpointing.interval", "9 ms", "at least 10 ms"},
        ErrorRule{"execution.checkpointing.externalized-checkpoint-retention",
                  "retain-on-cancellation",
                  "one of NO_EXTERNALIZED_CHECKPOINTS, RETAIN_ON_CANCELLATION, "
                  "DELETE_ON_CANCELLATION"},
        ErrorRule{"execution.checkpointing.num-retained", "0", "at least 1"},
        ErrorRule{"execution.runtime-mode", "BATCH",
                  "STREAMING: batch execution does not exist here"},
        ErrorRule{"rest.port", "70000", "a port (0 to 65535)"},
        ErrorRule{"pipeline.max-parallelism", "40000",
                  "1 to 32768, or -1 to leave the choice to Wiesel"},
        ErrorRule{"heartbeat.timeout", "10 s", "more than heartbeat.interval, which is 10 s"},
        ErrorRule{"restart-strategy.exponential-delay.max-backoff", "500 ms",
                  "at least restart-strategy.exponential-delay.initial-backoff, which is 1 s"},
        ErrorRule{"restart-strategy.exponential-delay.jitter-factor", "1.5",
                  "a number from 0 to 1"},
        ErrorRule{"state.backend.rocksdb.metrics.num-snapshots", "on", "true or false"},
        ErrorRule{"security.ssl.internal.enabled", "true",
                  "false: connections cannot be encrypted yet"}));

TEST(CheckConfigurationTest, ReportsEveryBadValueAtOnce) {
  EXPECT_THAT(check({{"rest.port", "x"}, {"parallelism.default", "y"}}).status,
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("'rest.port'"), HasSubstr("; configuration key"),
                             HasSubstr("'parallelism.default'"))));
}

TEST(CheckConfigurationTest, ABadValueUnderAnOldNameNamesTheOldName) {
  EXPECT_THAT(check({{"web.port", "x"}}).status,
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("'web.port'")));
}

TEST(CheckConfigurationTest, JobRecoveryNeedsAFolder) {
  EXPECT_THAT(check({{"high-availability.type", "file"}}).status,
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("high-availability.storageDir")));
  EXPECT_OK(
      check({{"high-availability.type", "file"}, {"high-availability.storageDir", "/x"}}).status);
}

TEST(CheckConfigurationTest, WarnsOnceOfEachKind) {
  const ConfigurationCheck result = check({{"rest.prot", "1"},
                                           {"aaa", "1"},
                                           {"rest.flamegraph.enabled", "true"},
                                           {"env.java.home", "/usr"},
                                           {"state.checkpoints.dir", "/x"}});
  EXPECT_OK(result.status);
  EXPECT_THAT(
      result.warnings,
      ElementsAre("Configuration key 'state.checkpoints.dir' is an old name of "
                  "'execution.checkpointing.dir'",
                  "Unknown configuration keys, ignored: aaa, rest.prot",
                  "Configuration keys of Flink without effect in this version: env.java.home, "
                  "rest.flamegraph.enabled"));
}

TEST(CheckConfigurationTest, SaysWhatTheMissingHighAvailabilityMeans) {
  EXPECT_THAT(
      check({{"high-availability.type", "file"}, {"high-availability.storageDir", "/x"}}).warnings,
      ElementsAre(HasSubstr("without effect in this version: high-availability.storageDir, "
                            "high-availability.type"),
                  AllOf(StartsWith("high-availability.type is not in this version: jobs "
                                   "end with their JobManager"),
                        HasSubstr("wiesel run -s"))));
  EXPECT_THAT(check({{"high-availability.type", "NONE"}}).warnings, SizeIs(1));
}

TEST(CheckConfigurationTest, KeysThatAreAlsoFallbacksAreNoOldNames) {
  EXPECT_THAT(check({{"jobmanager.rpc.address", "h"}, {"rest.port", "1"}}).warnings, IsEmpty());
}

TEST(CheckConfigurationTest, HidesSecretsInErrors) {
  for (const char* key : {"s3.secret-key", "metrics.reporter.x.password", "some.TOKEN.here"}) {
    EXPECT_TRUE(isSensitiveKey(key)) << key;
  }
  EXPECT_FALSE(isSensitiveKey("s3.access-key"));
  EXPECT_FALSE(isSensitiveKey("rest.port"));
}

}  // namespace
}  // namespace wiesel
