#include "client/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wiesel::client {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

CommandLine parse(const std::vector<std::string>& arguments) {
  const CommandLineResult result = parseCommandLine(arguments);
  EXPECT_TRUE(result.command.has_value()) << result.text;
  return result.command.value_or(CommandLine());
}

TEST(CommandLineTest, TakesTheOptionsOfRun) {
  const CommandLine line = parse({"run", "-d", "-m", "host:8081", "-p", "4", "-s", "/chk-5", "-n",
                                  "-D", "a=b", "-Dc=d", "./job", "--port", "9", "-d", "-D", "x=y"});
  EXPECT_EQ(line.verb, "run");
  EXPECT_TRUE(line.detached);
  EXPECT_EQ(line.jobmanager, "host:8081");
  EXPECT_EQ(line.parallelism, 4);
  EXPECT_EQ(line.savepoint, "/chk-5");
  EXPECT_TRUE(line.allow_non_restored_state);
  EXPECT_THAT(line.properties, ElementsAre("a=b", "c=d"));
  // All that follows the binary is the program's.
  EXPECT_THAT(line.program, ElementsAre("./job", "--port", "9", "-d", "-D", "x=y"));
}

TEST(CommandLineTest, TakesTheLongNamesOfRun) {
  const CommandLine line = parse({"run", "--detached", "--jobmanager", "h:1", "--parallelism", "2",
                                  "--fromSavepoint", "file:/s", "--allowNonRestoredState", "job"});
  EXPECT_TRUE(line.detached);
  EXPECT_EQ(line.jobmanager, "h:1");
  EXPECT_EQ(line.parallelism, 2);
  EXPECT_EQ(line.savepoint, "file:/s");
  EXPECT_TRUE(line.allow_non_restored_state);
  EXPECT_THAT(line.program, ElementsAre("job"));
}

TEST(CommandLineTest, TakesOptionsOfSeveralLettersBehindOneDash) {
  const CommandLine line = parse({"run", "-sae", "-cm", "claim", "job", "-sae"});
  EXPECT_TRUE(line.shutdown_on_attached_exit);
  EXPECT_EQ(line.claim_mode, "claim");
  EXPECT_EQ(line.savepoint, std::nullopt);
  EXPECT_THAT(line.program, ElementsAre("job", "-sae"));
  EXPECT_TRUE(parse({"run", "-p", "2", "-sae", "job"}).shutdown_on_attached_exit);
}

TEST(CommandLineTest, AcceptsWhatHasNoMeaningForABinary) {
  const CommandLine line = parse(
      {"run", "-c", "com.example.Job", "-C", "file:/x.jar", "-t", "remote", "job", "-c", "x"});
  EXPECT_EQ(line.main_class, "com.example.Job");
  EXPECT_THAT(line.program, ElementsAre("job", "-c", "x"));
}

TEST(CommandLineTest, TakesTheOptionsOfTheOtherVerbs) {
  EXPECT_TRUE(parse({"list", "-r"}).running);
  EXPECT_TRUE(parse({"list", "-s"}).scheduled);
  EXPECT_TRUE(parse({"list", "--all", "-m", "h:1"}).all);
  EXPECT_EQ(parse({"cancel", "-m", "h:1", "abc"}).job_id, "abc");
  EXPECT_EQ(parse({"start-cluster"}).task_managers, 1);
  EXPECT_EQ(parse({"start-cluster", "--taskmanagers", "3"}).task_managers, 3);
  EXPECT_EQ(parse({"jobmanager", "-c", "/conf"}).configuration_directory, "/conf");
  EXPECT_EQ(parse({"taskmanager", "--configDir", "/conf"}).configuration_directory, "/conf");
}

TEST(CommandLineTest, AsksForAnAction) {
  const CommandLineResult none = parseCommandLine({});
  EXPECT_EQ(none.exit_status, 1);
  EXPECT_THAT(none.text, StartsWith("Please specify an action."));
  const CommandLineResult unknown = parseCommandLine({"fly"});
  EXPECT_EQ(unknown.exit_status, 1);
  EXPECT_THAT(unknown.text, StartsWith("\"fly\" is not a valid action."));
}

TEST(CommandLineTest, SaysWhatIsNotBuiltYet) {
  for (const std::string verb : {"run-application", "info", "stop", "savepoint", "checkpoint",
                                 "state", "config", "doctor"}) {
    const CommandLineResult result = parseCommandLine({verb, "-x", "anything"});
    EXPECT_EQ(result.text, "wiesel " + verb + ": not in this version\n");
    EXPECT_EQ(result.exit_status, 1);
  }
}

TEST(CommandLineTest, HelpsAndTellsItsVersion) {
  EXPECT_EQ(parseCommandLine({"--help"}).exit_status, 0);
  const CommandLineResult help = parseCommandLine({"run", "-h"});
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_THAT(help.text, AllOf(HasSubstr("--detached"), HasSubstr("--fromSavepoint")));
  EXPECT_THAT(help.text, Not(HasSubstr("--check")));  // It is not built.
  const CommandLineResult version = parseCommandLine({"-v"});
  EXPECT_EQ(version.exit_status, 0);
  EXPECT_THAT(version.text, StartsWith("Version: "));
}

TEST(CommandLineTest, UsageNamesTheArguments) {
  const std::map<std::string, std::string> usages = {
      {"run", "Usage: wiesel run [OPTIONS] PROGRAM [ARGUMENTS...]\n"},
      {"list", "Usage: wiesel list [OPTIONS]\n"},
      {"cancel", "Usage: wiesel cancel [OPTIONS] JOBID\n"},
      {"jobmanager", "Usage: wiesel jobmanager [OPTIONS]\n"},
      {"taskmanager", "Usage: wiesel taskmanager [OPTIONS]\n"},
      {"start-cluster", "Usage: wiesel start-cluster [OPTIONS]\n"},
      {"stop-cluster", "Usage: wiesel stop-cluster [OPTIONS]\n"}};
  for (const auto& [verb, usage] : usages) {
    EXPECT_THAT(parseCommandLine({verb, "--help"}).text, HasSubstr(usage));
  }
}

TEST(CommandLineTest, RefusesWrongUse) {
  const std::vector<std::vector<std::string>> wrong = {{"run", "-p", "many", "job"},
                                                       {"run", "--no-such-option", "job"},
                                                       {"list", "extra"},
                                                       {"list", "--no-such-option"},
                                                       {"cancel", "a", "b"},
                                                       {"run", "-s"},
                                                       {"start-cluster", "--taskmanagers", "-3"}};
  for (const auto& arguments : wrong) {
    const CommandLineResult result = parseCommandLine(arguments);
    EXPECT_FALSE(result.command.has_value()) << ::testing::PrintToString(arguments);
    EXPECT_EQ(result.exit_status, 1);
    EXPECT_THAT(result.text, HasSubstr("Use the help option"));
  }
}

TEST(CommandLineTest, LeavesARunWithoutAProgramToTheCommand) {
  EXPECT_THAT(parse({"run", "-d"}).program, IsEmpty());
}

}  // namespace
}  // namespace wiesel::client
