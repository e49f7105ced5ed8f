#include "runtime/resource/resource_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/jobmanager/fake_cluster.h"

namespace wiesel::runtime::testing {
namespace {

using ::testing::HasSubstr;

FakeClusterOptions withHeartbeats(int64_t interval_ms, int64_t timeout_ms) {
  FakeClusterOptions options;
  options.settings.resources.heartbeat_interval_ms = interval_ms;
  options.settings.resources.heartbeat_timeout_ms = timeout_ms;
  return options;
}

TEST(ResourceManagerTest, ShowsRegisteredTaskManagers) {
  FakeCluster cluster;
  FakeTaskManager& one = cluster.addTaskManager("tm-1", 2);
  cluster.addTaskManager("tm-2", 3);
  ASSERT_TRUE(cluster.runUntil([&] { return cluster.resources().taskManagers().size() == 2; }));
  ASSERT_TRUE(cluster.runUntil([&] { return one.isRegistered(); }));
  EXPECT_EQ(cluster.resources().totalSlots(), 5);
  EXPECT_EQ(cluster.resources().freeSlots(), 5);
  const std::optional<TaskManagerView> view = cluster.resources().taskManager("tm-2");
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->slots, 3);
  EXPECT_EQ(view->free_slots, 3);
  EXPECT_EQ(view->host, "127.0.0.1");
  EXPECT_EQ(view->registered_ms, cluster.world.nowMs());
}

TEST(ResourceManagerTest, AClosedConnectionIsNoticedAtOnce) {
  FakeCluster cluster;
  FakeTaskManager& one = cluster.addTaskManager("tm-1", 2);
  ASSERT_TRUE(cluster.runUntil([&] { return one.isRegistered(); }));
  one.die("killed");
  cluster.world.runFor(0);
  EXPECT_EQ(cluster.resources().totalSlots(), 0);
}

TEST(ResourceManagerTest, ASilentTaskManagerIsLostAfterTheTimeout) {
  FakeCluster cluster(withHeartbeats(100, 500));
  FakeTaskManager& silent = cluster.addTaskManager("silent", 1);
  cluster.addTaskManager("healthy", 1);
  ASSERT_TRUE(cluster.runUntil([&] { return cluster.resources().totalSlots() == 2; }));
  silent.setBeats(false);
  cluster.world.runFor(490);
  EXPECT_EQ(cluster.resources().totalSlots(), 2);
  cluster.world.runFor(2'000);
  ASSERT_EQ(cluster.resources().taskManagers().size(), 1u);
  EXPECT_EQ(cluster.resources().taskManagers().front().id, "healthy");
  EXPECT_FALSE(silent.isAlive()) << "its connection was closed, so it has ended";
}

TEST(ResourceManagerTest, ASecondTaskManagerOfTheSameIdReplacesTheFirst) {
  FakeCluster cluster;
  FakeTaskManager& first = cluster.addTaskManager("tm-1", 2);
  ASSERT_TRUE(cluster.runUntil([&] { return first.isRegistered(); }));
  FakeTaskManager& second = cluster.addTaskManager("tm-1", 3);
  ASSERT_TRUE(cluster.runUntil([&] { return second.isRegistered(); }));
  cluster.world.runUntilIdle();
  EXPECT_EQ(cluster.resources().totalSlots(), 3);
  EXPECT_FALSE(first.isAlive());
  EXPECT_TRUE(second.isAlive());
}

TEST(ResourceManagerTest, RefusesATaskManagerWithoutSlots) {
  FakeCluster cluster;
  FakeTaskManager& none = cluster.addTaskManager("tm-1", 0);
  ASSERT_TRUE(cluster.runUntil([&] { return !none.isAlive(); }));
  EXPECT_THAT(none.refused(), HasSubstr("taskmanager.numberOfTaskSlots is 0"));
  EXPECT_EQ(cluster.resources().taskManagers().size(), 0u);
}

TEST(ResourceManagerTest, RefusesATaskManagerOfAnotherVersion) {
  FakeClusterOptions options;
  options.settings.resources.version = "1.2";
  FakeCluster cluster(options);
  FakeTaskManager& other = cluster.addTaskManager("tm-1", 1);
  ASSERT_TRUE(cluster.runUntil([&] { return !other.isAlive(); }));
  EXPECT_THAT(other.refused(), HasSubstr("the JobManager's '1.2'"));
}

TEST(ResourceManagerTest, DropsAConnectionThatSaysSomethingElseFirst) {
  FakeCluster cluster;
  auto pair = makeInMemoryLink<proto::MasterToTaskManager, proto::TaskManagerToMaster>(
      cluster.world.newEventLoop(0), cluster.world.newEventLoop(0));
  bool closed = false;
  pair.second->start([](const proto::MasterToTaskManager&) {},
                     [&](const std::string&) { closed = true; });
  cluster.resources().acceptTaskManager(std::move(pair.first));
  proto::TaskManagerToMaster message;
  message.mutable_heartbeat();
  pair.second->send(message);
  cluster.world.runUntilIdle();
  EXPECT_TRUE(closed);
}

}  // namespace
}  // namespace wiesel::runtime::testing
