#include "tests/conformance/seed_replay/seed_case.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/conformance/data_directory.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::conformance {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> namesIn(const std::string& directory) {
  std::vector<std::string> names;
  for (const SeedCase& seed : findSeedCases(directory)) names.push_back(seed.name());
  return names;
}

class SeedCaseTest : public ::testing::Test {
 protected:
  /// A folder with recordings; returns the case in it.
  SeedCase make(const std::string& folder,
                const std::vector<std::string>& files = {"input.jsonl"}) {
    std::filesystem::create_directories(directory_.file(folder));
    for (const std::string& file : files) std::ofstream(directory_.file(folder + "/" + file)) << "";
    return findSeedCases(directory_.file(folder)).at(0);
  }

  SeedSetup setup(const std::string& folder,
                  const std::vector<std::string>& files = {"input.jsonl"}) {
    return setupOf(make(folder, files)).value();
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(SeedCaseTest, FindsTheProjectsOwnCopy) {
  EXPECT_EQ(namesIn(dataDirectory("seeds")).size(), 13u);
  EXPECT_EQ(namesIn(dataDirectory("seeds") + "/cogroup_left_join"),
            (Words{"cogroup_left_join/article", "cogroup_left_join/checkpoint_attempts",
                   "cogroup_left_join/checkpoint_restart", "cogroup_left_join/checkpoint_resume",
                   "cogroup_left_join/deterministic"}));
}

TEST_F(SeedCaseTest, TakesItsNamesFromTheFoldersAbove) {
  EXPECT_EQ(make("x/cogroup_left_join/deterministic").name(), "cogroup_left_join/deterministic");
  EXPECT_EQ(make("x/cogroup_left_join").name(), "cogroup_left_join/article");
  EXPECT_EQ(make("x/unheard_of/one").name(), "unheard_of/one");
}

TEST_F(SeedCaseTest, NumbersSeveralRuns) {
  const SeedCase seed = make(
      "cogroup_left_join/checkpoint_resume",
      {"input-1.jsonl", "input-2.jsonl", "tree-after-cancel.txt", "tree-after-second-run.txt"});
  ASSERT_EQ(seed.runs.size(), 2u);
  EXPECT_TRUE(seed.runs[1].input.ends_with("/input-2.jsonl"));
  EXPECT_TRUE(seed.runs[1].output.ends_with("/expected-2.txt"));
  EXPECT_TRUE(seed.runs[1].tree.ends_with("/tree-after-second-run.txt"));
}

TEST_F(SeedCaseTest, ComplainsAboutADirectoryThatIsNotThere) {
  EXPECT_THROW(findSeedCases(directory_.file("nowhere")), std::runtime_error);
}

TEST_F(SeedCaseTest, RunsTheLeftJoinOfTheArticleByTheClock) {
  const SeedSetup article = setup("cogroup_left_join");
  EXPECT_EQ(article.arguments, (Words{"--event-time", "clock"}));
  EXPECT_TRUE(article.keeps_clear_of_minute_end);
  EXPECT_FALSE(article.has_checkpoints);
  EXPECT_EQ(article.port_flags.at(9998), "--age-port");
}

TEST_F(SeedCaseTest, RunsOtherLeftJoinsByTheField) {
  const SeedSetup other = setup("cogroup_left_join/deterministic");
  EXPECT_EQ(other.arguments, (Words{"--event-time", "field"}));
  EXPECT_FALSE(other.has_checkpoints);
}

TEST_F(SeedCaseTest, FailsOnceOrAlways) {
  const SeedSetup once = setup("cogroup_left_join/checkpoint_restart_2");
  EXPECT_EQ(once.arguments,
            (Words{"--event-time", "field", "--fail-on", "BOOM", "--fail", "once"}));
  EXPECT_TRUE(once.has_checkpoints);
  EXPECT_FALSE(once.fails_always);
  const SeedSetup always = setup("cogroup_left_join/checkpoint_attempts");
  EXPECT_EQ(always.arguments.back(), "always");
  EXPECT_TRUE(always.fails_always);
}

TEST_F(SeedCaseTest, PassesTheVariantOn) {
  EXPECT_EQ(setup("broadcast_watermark").arguments, (Words{"--variant", "article"}));
  EXPECT_EQ(setup("broadcast_watermark/no_dim_watermark").arguments,
            (Words{"--variant", "no_dim_watermark"}));
  EXPECT_EQ(setup("dynamic_watermark/deterministic_b").arguments,
            (Words{"--variant", "deterministic"}));
}

TEST_F(SeedCaseTest, CancelsTheProgramThatNeverEnds) {
  const SeedSetup article = setup("dynamic_watermark");
  EXPECT_EQ(article.cancel_after, std::chrono::seconds(12));
  EXPECT_TRUE(article.port_flags.empty());
}

TEST_F(SeedCaseTest, KnowsNoOtherProgram) {
  EXPECT_EQ(setupOf(make("unheard_of/one")), std::nullopt);
}

}  // namespace
}  // namespace wiesel::conformance
