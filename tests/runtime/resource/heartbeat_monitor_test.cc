#include "runtime/resource/heartbeat_monitor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::runtime {
namespace {

using Peers = std::vector<std::string>;

TEST(HeartbeatMonitorTest, NamesThoseWhoWereSilentForTheTimeout) {
  HeartbeatMonitor monitor(50);
  monitor.heard("b", 0);
  monitor.heard("a", 0);
  monitor.heard("c", 20);
  EXPECT_EQ(monitor.silentAt(49), Peers{});
  EXPECT_EQ(monitor.silentAt(50), (Peers{"a", "b"}));
}

TEST(HeartbeatMonitorTest, HearingAgainStartsTheTimeAnew) {
  HeartbeatMonitor monitor(50);
  monitor.heard("a", 0);
  monitor.heardIfWatched("a", 30);
  EXPECT_EQ(monitor.silentAt(79), Peers{});
  EXPECT_EQ(monitor.silentAt(80), Peers{"a"});
}

TEST(HeartbeatMonitorTest, OnlyWatchesThoseItWasTold) {
  HeartbeatMonitor monitor(50);
  monitor.heardIfWatched("a", 0);
  monitor.heard("b", 0);
  monitor.forget("b");
  EXPECT_EQ(monitor.silentAt(1'000), Peers{});
}

}  // namespace
}  // namespace wiesel::runtime
