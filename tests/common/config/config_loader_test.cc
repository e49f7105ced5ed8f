#include "common/config/config_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/filesystem/in_memory_file_system.h"
#include "tests/support/status_matchers.h"

namespace wiesel {
namespace {

using absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOkAndHolds;
using testing::StatusIs;

struct YamlRule {
  std::string name;
  std::string text;
  Configuration::Entries entries;
};

std::vector<YamlRule> yamlRules() {
  return {
      {"Empty", "", {}},
      {"OnlyAComment", "# nothing\n", {}},
      {"Flat", "rest.port: 8081\n", {{"rest.port", "8081"}}},
      {"Nested",
       "rest:\n  port: 8081\n  address: host\n",
       {{"rest.port", "8081"}, {"rest.address", "host"}}},
      {"NestedBelowDotted",
       "execution.checkpointing:\n  interval: 10 s\n",
       {{"execution.checkpointing.interval", "10 s"}}},
      {"BothForms",
       "state.backend: rocksdb\nstate:\n  backend.incremental: true\n",
       {{"state.backend", "rocksdb"}, {"state.backend.incremental", "true"}}},
      {"Quoted", "a: 'x: y # z'\nb: \"1\"\n", {{"a", "x: y # z"}, {"b", "1"}}},
      {"YamlList", "a:\n  - x\n  - y\n", {{"a", "x;y"}}},
      {"FlowList", "a: [x, 'y;z']\n", {{"a", "x;'y;z'"}}},
      {"ListOfMaps", "a: [{k: v, l: w}]\n", {{"a", "k:v,l:w"}}},
      {"YamlMap", "p:\n  a: 1\n  b: 2\n", {{"p.a", "1"}, {"p.b", "2"}}},
      {"NoValueIsNotSet", "a:\nb: ~\nc: x\n", {{"c", "x"}}},
      {"Comment", "a: x # why\n", {{"a", "x"}}},
      {"Alias", "a: &v x\nb: *v\n", {{"a", "x"}, {"b", "x"}}},
  };
}

class YamlConfigurationTest : public ::testing::TestWithParam<YamlRule> {};

TEST_P(YamlConfigurationTest, GivesTheEntries) {
  EXPECT_THAT(parseYamlConfiguration(GetParam().text, "config.yaml"),
              IsOkAndHolds(Configuration::fromEntries(GetParam().entries)));
}

INSTANTIATE_TEST_SUITE_P(Rules, YamlConfigurationTest, ::testing::ValuesIn(yamlRules()),
                         [](const auto& info) { return info.param.name; });

TEST(YamlConfigurationErrorTest, NamesFileAndLine) {
  struct Rule {
    std::string text;
    std::string where;
    std::string what;
  };
  const std::vector<Rule> rules = {
      {"a: 1\nb: [x\n", "config.yaml, line", ""},
      {"just text\n", "config.yaml, line 1:", "expected keys and values"},
      {"a: 1\nb: 2\na: 3\n", "config.yaml, line 3:", "the key 'a' stands here twice"},
      {"a:\n  - [x]\n", "config.yaml, line 2:", "an item of the list 'a'"},
  };
  for (const Rule& rule : rules) {
    EXPECT_THAT(
        parseYamlConfiguration(rule.text, "config.yaml"),
        StatusIs(StatusCode::kInvalidArgument, AllOf(HasSubstr(rule.where), HasSubstr(rule.what))));
  }
}

TEST(LegacyConfigurationTest, HasOneKeyALine) {
  const std::string text =
      "# comment\n"
      "rest.port: 8081\n"
      "  spaced :  a value  \r\n"
      "url: file:///x # why\n"
      "colons: a: b\n"
      "quoted: 'x'\n"
      "no-space:1\n"
      "no-value: \n"
      "just text\n"
      "rest.port: 8082";
  EXPECT_EQ(parseLegacyConfiguration(text, "flink-conf.yaml"),
            Configuration::fromEntries({{"rest.port", "8082"},
                                        {"spaced", "a value"},
                                        {"url", "file:///x"},
                                        {"colons", "a: b"},
                                        {"quoted", "'x'"}}));
}

class ConfigFolderTest : public ::testing::Test {
 protected:
  void write(const std::string& folder, const std::string& name, const std::string& text) {
    ASSERT_OK(files_.createDirectories(folder));
    ASSERT_OK(files_.writeAtomically(folder + "/" + name, text));
  }

  static Configuration from(const std::string& origin) {
    return Configuration::fromEntries({{"from", origin}});
  }

  InMemoryFileSystem files_;
};

TEST_F(ConfigFolderTest, TheOldFileWinsWhileItExists) {
  write("/etc/w", "config.yaml", "from: new\nother: 1\n");
  EXPECT_THAT(loadConfiguration(files_, "/etc/w"),
              IsOkAndHolds(Configuration::fromEntries({{"from", "new"}, {"other", "1"}})));
  write("/etc/w", "flink-conf.yaml", "from: old\n");
  EXPECT_THAT(loadConfiguration(files_, "/etc/w"), IsOkAndHolds(from("old")));
}

TEST_F(ConfigFolderTest, AFolderWithoutFileIsNotFound) {
  EXPECT_THAT(loadConfiguration(files_, "/no"),
              StatusIs(StatusCode::kNotFound, AllOf(HasSubstr("'/no'"), HasSubstr("config.yaml"))));
}

TEST_F(ConfigFolderTest, AnErrorNamesThePath) {
  write("/etc/w", "config.yaml", "a: [");
  EXPECT_THAT(loadConfiguration(files_, "/etc/w"),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("/etc/w/config.yaml, line 1")));
}

TEST_F(ConfigFolderTest, TheFlagBeatsTheEnvironmentAndThatBeatsTheDefault) {
  EXPECT_THAT(loadProcessConfiguration(files_, std::nullopt, std::nullopt),
              IsOkAndHolds(Configuration()));
  write("conf", "config.yaml", "from: default\n");
  write("/env", "config.yaml", "from: environment\n");
  write("/flag", "config.yaml", "from: flag\n");
  EXPECT_THAT(loadProcessConfiguration(files_, std::nullopt, std::nullopt),
              IsOkAndHolds(from("default")));
  EXPECT_THAT(loadProcessConfiguration(files_, std::nullopt, ""), IsOkAndHolds(from("default")));
  EXPECT_THAT(loadProcessConfiguration(files_, std::nullopt, "/env"),
              IsOkAndHolds(from("environment")));
  EXPECT_THAT(loadProcessConfiguration(files_, "/flag", "/env"), IsOkAndHolds(from("flag")));
  EXPECT_THAT(loadProcessConfiguration(files_, "/none", "/env"), StatusIs(StatusCode::kNotFound));
}

}  // namespace
}  // namespace wiesel
