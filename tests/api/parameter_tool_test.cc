#include "api/parameter_tool.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.h"

namespace wiesel {
namespace {

ParameterTool parse(const std::vector<const char*>& arguments) {
  std::vector<const char*> all = {"program"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return ParameterTool::fromArgs(static_cast<int>(all.size()), all.data());
}

/// What the call throws.
template <class Call>
std::string failureOf(const Call& call) {
  try {
    call();
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(ParameterToolTest, ReadsNamesWithOneDashOrTwo) {
  const ParameterTool args = parse({"--host", "here", "-port", "7"});
  EXPECT_EQ(args.get("host", "there"), "here");
  EXPECT_EQ(args.getLong("port", 1), 7);
  EXPECT_EQ(args.get("user", "nobody"), "nobody");
  EXPECT_EQ(args.getLong("rate", 100), 100);
}

TEST(ParameterToolTest, TakesANegativeNumberAsAValue) {
  EXPECT_EQ(parse({"--shift", "-5"}).getLong("shift", 0), -5);
}

TEST(ParameterToolTest, TakesANameWithoutAValueAsAFlag) {
  const ParameterTool args = parse({"--quiet", "--host", "here"});
  EXPECT_TRUE(args.has("quiet"));
  EXPECT_EQ(args.get("host", ""), "here");
}

TEST(ParameterToolTest, TakesTheLastOfTwoValues) {
  EXPECT_EQ(parse({"--host", "a", "--host", "b"}).get("host", ""), "b");
}

TEST(ParameterToolTest, KeepsTheConfigurationApart) {
  const ParameterTool args = parse({"-D", "a.b=1", "--host", "here", "-Dc.d=x=y"});
  EXPECT_EQ(args.configuration().getString("a.b"), "1");
  EXPECT_EQ(args.configuration().getString("c.d"), "x=y");
  EXPECT_EQ(failureOf([&] { args.allowOnly({"host"}); }), "");
}

TEST(ParameterToolTest, TakesNoArgumentsAtAll) {
  EXPECT_FALSE(ParameterTool::fromArgs(0, nullptr).has("host"));
}

TEST(ParameterToolTest, ReadsValuesOfEveryType) {
  const ParameterTool args =
      parse({"--int", "-7", "--double", "2.5", "--yes", "True", "--long", "5000000000"});
  EXPECT_EQ(args.getInt("int"), -7);
  EXPECT_EQ(args.getInt("other", 3), 3);
  EXPECT_EQ(args.getLong("long"), 5'000'000'000);
  EXPECT_EQ(args.getDouble("double"), 2.5);
  EXPECT_EQ(args.getFloat("double", 0), 2.5f);
  EXPECT_EQ(args.getFloat("other", 0.5f), 0.5f);
  EXPECT_TRUE(args.getBoolean("yes"));
  EXPECT_TRUE(args.getBoolean("other", true));
  EXPECT_EQ(args.get("other"), std::nullopt);
}

TEST(ParameterToolTest, MergesWithAnotherThatWins) {
  const ParameterTool file = ParameterTool::fromMap({{"host", "a"}, {"port", "7"}});
  const ParameterTool both = file.mergeWith(parse({"--host", "b", "-D", "x.y=1"}));
  EXPECT_EQ(both.toMap(), (std::map<std::string, std::string>{{"host", "b"}, {"port", "7"}}));
  EXPECT_EQ(both.getNumberOfParameters(), 2u);
  EXPECT_EQ(both.configuration().getString("x.y"), "1");
}

TEST(ParameterToolTest, ReadsAPropertiesFile) {
  const testing::TemporaryDirectory directory;
  std::ofstream(directory.file("job.properties")) << "host = here\n# port=1\nport: 7\n";
  const ParameterTool args = ParameterTool::fromPropertiesFile(directory.file("job.properties"));
  EXPECT_EQ(args.toMap(), (std::map<std::string, std::string>{{"host", "here"}, {"port", "7"}}));
  EXPECT_EQ(failureOf([&] { ParameterTool::fromPropertiesFile("/no/such.properties"); }),
            "cannot read the properties file '/no/such.properties': No such file or directory");
}

TEST(ParameterToolTest, NamesTheArgumentThatIsWrong) {
  EXPECT_EQ(failureOf([] { parse({"here"}); }),
            "'here' stands behind no argument; write --name value");
  EXPECT_EQ(failureOf([] {
              parse({"--port", "7x"}).getLong("port", 1);
            }),
            "--port needs a whole number, got '7x'");
  EXPECT_EQ(failureOf([] {
              parse({"--port", "5000000000"}).getInt("port");
            }),
            "--port needs a whole number of 32 bits, got '5000000000'");
  EXPECT_EQ(failureOf([] {
              parse({"--share", "half"}).getDouble("share");
            }),
            "--share needs a number, got 'half'");
  EXPECT_EQ(failureOf([] { parse({"--quiet"}).getBoolean("quiet"); }), "--quiet needs a value");
  EXPECT_EQ(failureOf([] {
              parse({"--quiet", "maybe"}).getBoolean("quiet");
            }),
            "--quiet needs true or false, got 'maybe'");
  EXPECT_EQ(failureOf([] { parse({}).getLong("port"); }), "--port is missing");
  EXPECT_EQ(failureOf([] {
              parse({"--hots", "here"}).allowOnly({"host", "port"});
            }),
            "--hots is no argument of this program");
  EXPECT_EQ(failureOf([] { parse({}).getRequired("host"); }), "--host is missing");
  EXPECT_EQ(failureOf([] { parse({"--host"}).getRequired("host"); }), "--host needs a value");
  EXPECT_NE(failureOf([] { parse({"-D"}); }), "");
}

}  // namespace
}  // namespace wiesel
