#include "api/parameter_tool.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

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

TEST(ParameterToolTest, NamesTheArgumentThatIsWrong) {
  EXPECT_EQ(failureOf([] { parse({"here"}); }),
            "'here' stands behind no argument; write --name value");
  EXPECT_EQ(failureOf([] {
              parse({"--port", "7x"}).getLong("port", 1);
            }),
            "--port needs a whole number, got '7x'");
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
