#include "tests/conformance/seed_replay/output_comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/conformance/data_directory.h"
#include "tests/conformance/seed_replay/child_process.h"
#include "tests/conformance/seed_replay/seed_case.h"

namespace wiesel::conformance {
namespace {

constexpr char kJoin[] = "cogroup_left_join";

std::string firing(const std::string& id, const std::string& age) {
  const std::string person = R"({"age":")" + age + R"(","id":")" + id + R"("})";
  return "nameIterable:[" + person + "]\nageIterable:[]\naddSink:" + person + "\n";
}

/// The difference between two outputs of the left join.
std::string joinDifference(const std::string& expected, const std::string& actual) {
  try {
    return findOutputDifference(kJoin, "deterministic", expected, actual, 1).value_or("");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(OutputComparisonTest, FindsNoDifferenceBetweenARecordingAndItself) {
  for (const SeedCase& seed : findSeedCases(dataDirectory("seeds"))) {
    for (const SeedRun& run : seed.runs) {
      const std::string recorded = readFile(run.output);
      ASSERT_NE(recorded, "") << seed.name();
      EXPECT_EQ(findOutputDifference(seed.program, seed.variant, recorded, recorded, 1),
                std::nullopt)
          << seed.name();
    }
  }
}

TEST(LeftJoinOutputTest, LeavesTheOrderOfIdsFree) {
  EXPECT_EQ(
      joinDifference(firing("6", "1") + firing("7", "1"), firing("7", "1") + firing("6", "1")), "");
}

TEST(LeftJoinOutputTest, LeavesTheOrderOfEchoAndFiringFree) {
  EXPECT_EQ(joinDifference("name:a\nname:b\n" + firing("6", "1"),
                           "name:a\n" + firing("6", "1") + "name:b\n"),
            "");
}

TEST(LeftJoinOutputTest, KeepsTheOrderOfOneId) {
  EXPECT_EQ(joinDifference(firing("6", "1") + firing("6", "2"), firing("6", "2") + firing("6", "1"))
                .substr(0, 34),
            "firings of id \"6\", number 1: expec");
}

TEST(LeftJoinOutputTest, KeepsTheOrderOfTheEcho) {
  EXPECT_EQ(joinDifference("name:a\nname:b\n", "name:b\nname:a\n"),
            "lines 'name:', number 1: expected 'name:a', got 'name:b'");
}

TEST(LeftJoinOutputTest, MissesALine) {
  EXPECT_EQ(joinDifference("age:a\n", ""), "lines 'age:', number 1: expected 'age:a', got nothing");
}

TEST(LeftJoinOutputTest, SeesALineTooMuch) {
  EXPECT_EQ(joinDifference("", "age:a\n"), "lines 'age:', number 1: expected nothing, got 'age:a'");
}

TEST(LeftJoinOutputTest, WantsTheLinesOfAFiringTogether) {
  const std::string torn = "nameIterable:[]\nname:a\n";
  EXPECT_NE(joinDifference(firing("6", "1"), torn), "");
  const std::string mixed =
      "nameIterable:[{\"id\":\"6\"}]\nnameIterable:[{\"id\":\"7\"}]\nageIterable:[]\n";
  EXPECT_NE(joinDifference(firing("6", "1"), mixed), "");
  EXPECT_NE(joinDifference("", "addSink:{\"id\":\"6\"}\n"), "");
}

TEST(LeftJoinOutputTest, ComparesJsonAsText) {
  std::string spaced = firing("6", "1");
  spaced.insert(spaced.find(':', spaced.find("\"age\"")) + 1, " ");
  EXPECT_NE(joinDifference(firing("6", "1"), spaced), "");
}

TEST(LeftJoinOutputTest, LeavesClockTimesOut) {
  const std::string recorded =
      "nameIterable:[{\"eventTime\":1,\"eventTimeStr\":\"x\",\"id\":\"6\"}]\nageIterable:[]\n";
  std::string actual = recorded;
  std::ranges::replace(actual, 'x', 'y');
  EXPECT_EQ(findOutputDifference(kJoin, "article", recorded, actual, 1), std::nullopt);
  EXPECT_NE(findOutputDifference(kJoin, "deterministic", recorded, actual, 1), std::nullopt);
}

TEST(LeftJoinOutputTest, ChecksTheSpansBetweenFailures) {
  const std::string recorded = "attempt failing at 1\nattempt failing at 11001\n";
  EXPECT_EQ(joinDifference(recorded, "attempt failing at 50000\nattempt failing at 61600\n"), "");
  EXPECT_EQ(joinDifference(recorded, "attempt failing at 50000\nattempt failing at 52000\n"),
            "two failures are 2000 ms apart; the restart delay is 10 s");
  EXPECT_NE(joinDifference(recorded, "attempt failing at 50000\nattempt failing at 90000\n"), "");
}

TEST(BroadcastOutputTest, ComparesBothInputsTogetherAndWindowsPerId) {
  const auto difference = [](const std::string& expected, const std::string& actual) {
    return findOutputDifference("broadcast_watermark", "deterministic", expected, actual, 1);
  };
  EXPECT_EQ(difference("B|1|3\nW|1|a\nW|2|a\n", "W|2|a\nW|1|a\nB|1|3\n"), std::nullopt);
  EXPECT_NE(difference("B|1|3\nD|1|x\n", "D|1|x\nB|1|3\n"), std::nullopt);
  EXPECT_NE(difference("W|1|a\nL|1|b\n", "L|1|b\nW|1|a\n"), std::nullopt);
}

TEST(DynamicWatermarkOutputTest, ChecksClockLinesOneByOne) {
  const auto read = [](const std::string& line) {
    return readOutput("dynamic_watermark", "underflow", line + "\n");
  };
  EXPECT_TRUE(
      read("当前时间：23:19:05.35，最大事件时间：9000，动态延迟：5000ms，水印时间：4000").empty());
  EXPECT_TRUE(
      read("当前时间：09:00:05，最大事件时间：90000，动态延迟：30000ms，水印时间：60000").empty());
  EXPECT_TRUE(
      read("当前时间：23:19，最大事件时间：-9223372036854775808，动态延迟：5000ms，水印时间："
           "9223372036854770808")
          .empty());
  EXPECT_THROW(read("当前时间：23:19:05，最大事件时间：9000，动态延迟：30000ms，水印时间：-21000"),
               std::runtime_error);
  EXPECT_THROW(read("当前时间：23:19:05，最大事件时间：9000，动态延迟：5000ms，水印时间：4001"),
               std::runtime_error);
}

TEST(InnerJoinOutputTest, ComparesValuesNotText) {
  const std::string prefix = "Window Out Join user and school> ";
  const auto difference = [&](const std::string& expected, const std::string& actual) {
    return findOutputDifference("cdc_inner_join", "deterministic", prefix + expected + "\n",
                                prefix + actual + "\n", 1);
  };
  EXPECT_EQ(difference(R"({"school_id":1,"a":2})", R"({"a": 2, "school_id": 1})"), std::nullopt);
  EXPECT_NE(difference(R"({"school_id":1,"a":2})", R"({"school_id":1,"a":3})"), std::nullopt);
}

}  // namespace
}  // namespace wiesel::conformance
