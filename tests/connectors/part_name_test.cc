#include "connectors/file/part_name.h"

#include <gtest/gtest.h>

namespace wiesel::connectors {
namespace {

TEST(PartNameTest, IsReadAsItIsWritten) {
  const PartName name{"3f2a9c10", 1, 4, 7, 12, std::string(kPending)};
  EXPECT_EQ(name.toString(), "part-3f2a9c10-1of4-7-12.pending");
  EXPECT_EQ(PartName::parse(name.toString()), name);
}

TEST(PartNameTest, LeavesFilesOfOthersAlone) {
  for (const char* name :
       {"", "part-", "part-0-0", "part-3f2a9c10-1of4-7", "part-3f2a9c10-1of4-7-x",
        "part-3f2a9c10--1of4-7-12", "part-3f2a9c10-1of4-7-12.txt", "apart-3f2a9c10-1of4-7-12"}) {
    EXPECT_EQ(PartName::parse(name), std::nullopt) << name;
  }
}

struct Rule {
  std::string name;
  std::string file;
  bool removed_by_0;
  bool removed_by_1;
};

std::vector<Rule> rules() {
  return {
      {"OwnUnfinished", "part-aaaa-0of2-3-5.inprogress", true, false},
      {"OwnPending", "part-aaaa-1of2-3-5.pending", false, true},
      {"OwnCommitted", "part-aaaa-1of2-3-5", false, false},
      {"AnotherJobsUnfinished", "part-bbbb-0of2-3-5.inprogress", false, false},
      {"UnfinishedOfAnotherParallelism", "part-aaaa-1of3-3-5.inprogress", true, false},
      {"PendingOfAnotherParallelism", "part-aaaa-1of3-3-5.pending", false, false},
  };
}

class LeftoverTest : public ::testing::TestWithParam<Rule> {};

TEST_P(LeftoverTest, IsRemovedByWhoMayDoSo) {
  const auto file = PartName::parse(GetParam().file);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(isLeftover(*file, {"aaaa", 0, 2, 4, 0, ""}), GetParam().removed_by_0);
  EXPECT_EQ(isLeftover(*file, {"aaaa", 1, 2, 4, 0, ""}), GetParam().removed_by_1);
}

INSTANTIATE_TEST_SUITE_P(Names, LeftoverTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::connectors
