#include "client/restart_notice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::client {
namespace {

TEST(RestartNoticeTest, SaysHowOftenAndWhy) {
  RestartNotice notice;
  EXPECT_EQ(notice.look(0, ""), std::nullopt);
  EXPECT_EQ(notice.look(1, "it broke"), "it broke: the job has restarted 1 time");
  EXPECT_EQ(notice.look(1, "it broke"), std::nullopt);
  EXPECT_EQ(notice.look(5, "again"), "again: the job has restarted 5 times");
}

TEST(RestartNoticeTest, AJobThatRestartsForEverIsToldOfAtGrowingIntervals) {
  RestartNotice notice;
  std::vector<int> said;
  for (int tick = 0; tick < 160; ++tick) {
    if (notice.look(100 * (tick + 1), "it broke")) said.push_back(tick);
  }
  EXPECT_EQ(said, (std::vector<int>{0, 2, 6, 14, 30, 62, 94, 126, 158}));
}

TEST(RestartNoticeTest, AfterALongQuietTimeARestartIsToldAtOnce) {
  RestartNotice notice;
  int64_t restarts = 0;
  for (int tick = 0; tick < 100; ++tick) notice.look(++restarts, "it broke");
  for (int tick = 0; tick <= RestartNotice::kMaxIntervalTicks; ++tick) {
    notice.look(restarts, "it broke");
  }
  EXPECT_TRUE(notice.look(++restarts, "it broke"));
  EXPECT_FALSE(notice.look(++restarts, "it broke"));
}

}  // namespace
}  // namespace wiesel::client
