#include "runtime/resource/slot_manager.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wiesel::runtime {

// Found by GoogleTest through the type's namespace.
void PrintTo(const SlotOffer& slot, std::ostream* out) {
  *out << slot.task_manager_id << '#' << slot.index;
}

namespace {

using Offers = std::vector<SlotOffer>;
using Assigned = std::vector<std::pair<std::string, Offers>>;

TEST(SlotManagerTest, FillsTaskManagersInTheOrderOfRegistration) {
  SlotManager slots(SlotSpread::kFill);
  slots.addTaskManager("second-by-name", 2);
  slots.addTaskManager("first-by-name", 2);
  slots.require("job", 3);
  EXPECT_EQ(
      slots.assign(),
      (Assigned{{"job", {{"second-by-name", 0}, {"second-by-name", 1}, {"first-by-name", 0}}}}));
  EXPECT_EQ(slots.freeSlots(), 1);
  EXPECT_EQ(slots.heldBy("job"), 3);
}

TEST(SlotManagerTest, SpreadsEvenlyWhenAsked) {
  SlotManager slots(SlotSpread::kEvenly);
  slots.addTaskManager("a", 2);
  slots.addTaskManager("b", 2);
  slots.require("job", 3);
  EXPECT_EQ(slots.assign(), (Assigned{{"job", {{"a", 0}, {"b", 0}, {"a", 1}}}}));
}

TEST(SlotManagerTest, AJobGetsAllThatItLacksOrWaits) {
  SlotManager slots(SlotSpread::kFill);
  slots.addTaskManager("a", 1);
  slots.require("job", 2);
  EXPECT_EQ(slots.assign(), Assigned{});
  EXPECT_EQ(slots.lackedBy("job"), 2);
  slots.addTaskManager("b", 1);
  EXPECT_EQ(slots.assign(), (Assigned{{"job", {{"a", 0}, {"b", 0}}}}));
  EXPECT_EQ(slots.assign(), Assigned{}) << "it lacks nothing any more";
}

TEST(SlotManagerTest, AWaitingJobDoesNotHoldUpASmallerOne) {
  SlotManager slots(SlotSpread::kFill);
  slots.addTaskManager("a", 1);
  slots.require("large", 2);
  slots.require("small", 1);
  EXPECT_EQ(slots.assign(), (Assigned{{"small", {{"a", 0}}}}));
}

TEST(SlotManagerTest, ServesWaitingJobsInTheOrderOfTheirRequests) {
  SlotManager slots(SlotSpread::kFill);
  slots.require("z-first", 1);
  slots.require("a-second", 1);
  slots.addTaskManager("a", 1);
  EXPECT_EQ(slots.assign(), (Assigned{{"z-first", {{"a", 0}}}}));
}

TEST(SlotManagerTest, ReplacesLostSlotsAndLeavesTheOthers) {
  SlotManager slots(SlotSpread::kFill);
  slots.addTaskManager("a", 1);
  slots.addTaskManager("b", 1);
  slots.require("job", 2);
  slots.assign();
  slots.addTaskManager("spare", 1);
  EXPECT_EQ(slots.jobsOn("a"), (std::map<std::string, int32_t>{{"job", 1}}));
  slots.removeTaskManager("a");
  EXPECT_EQ(slots.lackedBy("job"), 1);
  EXPECT_EQ(slots.assign(), (Assigned{{"job", {{"spare", 0}}}}));
}

TEST(SlotManagerTest, AJobThatNeedsNoneGivesItsSlotsBack) {
  SlotManager slots(SlotSpread::kFill);
  slots.addTaskManager("a", 2);
  slots.require("job", 2);
  slots.assign();
  slots.require("next", 1);
  EXPECT_EQ(slots.assign(), Assigned{});
  slots.require("job", 0);
  EXPECT_EQ(slots.freeSlots(), 2);
  EXPECT_EQ(slots.assign(), (Assigned{{"next", {{"a", 0}}}}));
  EXPECT_EQ(slots.totalSlots(), 2);
  EXPECT_EQ(slots.freeSlotsOf("a"), 1);
}

}  // namespace
}  // namespace wiesel::runtime
