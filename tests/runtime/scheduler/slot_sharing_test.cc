#include "runtime/scheduler/slot_sharing.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/scheduler/slot_pool.h"

namespace wiesel::runtime {
namespace {

proto::JobGraph graphOf(const std::vector<std::pair<std::string, int32_t>>& vertices) {
  proto::JobGraph graph;
  for (const auto& [group, parallelism] : vertices) {
    proto::JobVertex& vertex = *graph.add_vertices();
    vertex.set_slot_sharing_group(group);
    vertex.set_parallelism(parallelism);
  }
  return graph;
}

TEST(SlotSharingTest, OneGroupNeedsAsManySlotsAsItsWidestVertex) {
  const SlotPlan plan = planSlots(graphOf({{"", 1}, {"default", 4}, {"", 2}}));
  EXPECT_EQ(plan.num_slots, 4);
  EXPECT_EQ(plan.first_slot, (std::vector<int32_t>{0, 0, 0}));
}

TEST(SlotSharingTest, GroupsDoNotShareSlots) {
  const SlotPlan plan = planSlots(graphOf({{"a", 2}, {"b", 3}, {"a", 1}}));
  EXPECT_EQ(plan.num_slots, 5);
  EXPECT_EQ(plan.first_slot, (std::vector<int32_t>{0, 2, 0}));
}

TEST(SlotPoolTest, ASlotKeepsItsNumberWhenOthersAreReplaced) {
  SlotPool pool(3);
  pool.add({{"a", 0}, {"b", 0}, {"b", 1}});
  EXPECT_EQ(pool.missing(), 0);
  pool.removeTaskManager("b");
  EXPECT_EQ(pool.missing(), 2);
  pool.add({{"c", 0}, {"a", 1}});
  EXPECT_EQ(pool.taskManagerOf(0), "a");
  EXPECT_EQ(pool.taskManagerOf(1), "c");
  EXPECT_EQ(pool.taskManagerOf(2), "a");
  EXPECT_EQ(pool.taskManagers(), (std::map<std::string, int32_t>{{"a", 2}, {"c", 1}}));
}

}  // namespace
}  // namespace wiesel::runtime
