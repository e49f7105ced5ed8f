#include "common/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "common/config/checkpointing_options.h"
#include "common/config/cluster_options.h"
#include "common/config/pipeline_options.h"
#include "common/config/rest_options.h"

namespace wiesel {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

TEST(ConfigurationTest, GivesDefaultsWhereNothingIsSet) {
  const Configuration configuration;
  EXPECT_EQ(configuration.get(kDefaultParallelism), 1);
  EXPECT_EQ(configuration.get(kCheckpointingTimeout), milliseconds(600'000));
  EXPECT_EQ(configuration.get(kCheckpointingInterval), std::nullopt);
  EXPECT_EQ(configuration.get(kTemporaryDirectories), "/tmp");
  EXPECT_EQ(configuration.get(kRestBindPort).ports, std::vector<uint16_t>{8081});
  EXPECT_EQ(configuration.getOptional(kDefaultParallelism), std::nullopt);
  EXPECT_FALSE(configuration.contains(kDefaultParallelism));
}

TEST(ConfigurationTest, GivesWhatIsSet) {
  Configuration configuration;
  configuration.setString("parallelism.default", "4");
  configuration.set(kCheckpointingInterval, milliseconds(10'000));
  configuration.set(kCheckpointingMode, CheckpointingMode::AT_LEAST_ONCE);
  EXPECT_EQ(configuration.get(kDefaultParallelism), 4);
  EXPECT_EQ(configuration.getString("execution.checkpointing.interval"), "10 s");
  EXPECT_EQ(configuration.getString("execution.checkpointing.mode"), "AT_LEAST_ONCE");
  EXPECT_EQ(configuration.get(kCheckpointingInterval), milliseconds(10'000));
  EXPECT_TRUE(configuration.contains(kCheckpointingInterval));
}

struct OldNameRule {
  std::string name;
  std::map<std::string, std::string, std::less<>> entries;
  std::optional<std::string> directory;
};

TEST(ConfigurationTest, ReadsOldNamesInOrderAfterTheNewOne) {
  const std::vector<OldNameRule> rules = {
      {"None", {}, std::nullopt},
      {"New", {{"execution.checkpointing.dir", "/new"}}, "/new"},
      {"Old", {{"state.checkpoints.dir", "/old"}}, "/old"},
      {"Oldest", {{"state.backend.fs.checkpointdir", "/oldest"}}, "/oldest"},
      {"Both",
       {{"execution.checkpointing.dir", "/new"}, {"state.checkpoints.dir", "/old"}},
       "/new"},
      {"TwoOld",
       {{"state.backend.fs.checkpointdir", "/oldest"}, {"state.checkpoints.dir", "/old"}},
       "/old"},
  };
  for (const OldNameRule& rule : rules) {
    EXPECT_EQ(Configuration::fromEntries(rule.entries).get(kCheckpointDirectory), rule.directory)
        << rule.name;
  }
}

TEST(ConfigurationTest, TheRestBindPortFollowsTheRestPort) {
  EXPECT_EQ(Configuration::fromEntries({{"rest.port", "0"}}).get(kRestBindPort).ports,
            std::vector<uint16_t>{0});
  EXPECT_EQ(Configuration::fromEntries({{"jobmanager.rpc.address", "host"}}).get(kRestAddress),
            "host");
}

TEST(ConfigurationTest, AMalformedValueNamesTheKeyThatWasWritten) {
  const Configuration configuration = Configuration::fromEntries({{"web.port", "http"}});
  try {
    configuration.get(kRestPort);
    FAIL() << "no exception";
  } catch (const ConfigurationError& error) {
    EXPECT_STREQ(error.what(),
                 "configuration key 'web.port' has the value 'http'; expected an integer of 32 "
                 "bits");
  }
}

TEST(ConfigurationTest, AMapIsOneEntryOrOneEntryAKey) {
  using Map = std::map<std::string, std::string>;
  EXPECT_EQ(Configuration::fromEntries({{"pipeline.global-job-parameters", "a:1,b:2"}})
                .get(kGlobalJobParameters),
            (Map{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(Configuration::fromEntries({{"pipeline.global-job-parameters.a", "1"},
                                        {"pipeline.global-job-parameters.b.c", "2"},
                                        {"pipeline.global-job-parameters-not", "3"}})
                .get(kGlobalJobParameters),
            (Map{{"a", "1"}, {"b.c", "2"}}));
}

TEST(ConfigurationTest, MergingOverrides) {
  Configuration configuration = Configuration::fromEntries({{"a", "1"}, {"b", "1"}});
  configuration.merge(Configuration::fromEntries({{"b", "2"}, {"c", "2"}}));
  EXPECT_EQ(configuration, Configuration::fromEntries({{"a", "1"}, {"b", "2"}, {"c", "2"}}));
  EXPECT_THAT(configuration.keys(), ElementsAre("a", "b", "c"));
  configuration.remove("b");
  configuration.remove("none");
  EXPECT_THAT(configuration.keys(), ElementsAre("a", "c"));
}

}  // namespace
}  // namespace wiesel
