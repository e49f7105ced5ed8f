#include "state/key_group.h"

#include <gtest/gtest.h>

#include <string>

#include "common/serialization/serializer.h"

namespace wiesel::state {
namespace {

// The recorded rows of Flink are replayed by tests/conformance; here is what holds for all numbers.

TEST(KeyGroupTest, OfAKeyIsThatOfFlink) {
  EXPECT_EQ(keyGroupFor(Serializer<int32_t>::hashCode(42), 128), 29);
  EXPECT_EQ(keyGroupFor(Serializer<int32_t>::hashCode(0), 32768), 31198);
  EXPECT_EQ(keyGroupFor(Serializer<std::string>::hashCode(""), 128), 94);
}

TEST(KeyGroupTest, EachBelongsToTheSubtaskInWhoseRangeItIs) {
  for (const int max_parallelism : {1, 2, 10, 127, 128, 300, 4096}) {
    for (int parallelism = 1; parallelism <= max_parallelism; parallelism += 1 + parallelism / 3) {
      int next = 0;
      for (int subtask = 0; subtask < parallelism; ++subtask) {
        const KeyGroupRange range = keyGroupRangeFor(subtask, parallelism, max_parallelism);
        ASSERT_EQ(range.start, next) << subtask << " of " << parallelism;
        for (int group = range.start; group <= range.end; ++group) {
          ASSERT_EQ(subtaskFor(group, parallelism, max_parallelism), subtask) << group;
        }
        next = range.end + 1;
      }
      ASSERT_EQ(next, max_parallelism) << parallelism;
    }
  }
}

TEST(KeyGroupTest, RangesReachTheUpperLimitWithoutOverflow) {
  const KeyGroupRange last =
      keyGroupRangeFor(kMaxMaxParallelism - 1, kMaxMaxParallelism, kMaxMaxParallelism);
  EXPECT_EQ(last, (KeyGroupRange{kMaxMaxParallelism - 1, kMaxMaxParallelism - 1}));
  EXPECT_EQ(subtaskFor(kMaxMaxParallelism - 1, kMaxMaxParallelism, kMaxMaxParallelism),
            kMaxMaxParallelism - 1);
}

TEST(KeyGroupTest, DefaultMaxParallelismIsAPowerOfTwoWithRoomToGrow) {
  EXPECT_EQ(defaultMaxParallelism(1), 128);
  EXPECT_EQ(defaultMaxParallelism(85), 128);
  EXPECT_EQ(defaultMaxParallelism(86), 256);
  EXPECT_EQ(defaultMaxParallelism(342), 1024);
  EXPECT_EQ(defaultMaxParallelism(32768), 32768);
}

TEST(KeyGroupDeathTest, RefusesNumbersThatNoOperatorCanHave) {
  EXPECT_DEATH(keyGroupRangeFor(0, 0, 128), "parallelism 0");
  EXPECT_DEATH(keyGroupRangeFor(0, 129, 128), "parallelism 129, max parallelism 128");
  EXPECT_DEATH(keyGroupRangeFor(0, 1, 32769), "max parallelism 32769");
  EXPECT_DEATH(keyGroupRangeFor(2, 2, 128), "subtask 2 of 2");
  EXPECT_DEATH(keyGroupRangeFor(-1, 2, 128), "subtask -1 of 2");
  EXPECT_DEATH(defaultMaxParallelism(0), "parallelism 0");
}

TEST(KeyGroupRangeTest, CountsAndContainsBothEnds) {
  const KeyGroupRange range = {3, 5};
  EXPECT_EQ(range.size(), 3);
  EXPECT_TRUE(range.contains(3));
  EXPECT_TRUE(range.contains(5));
  EXPECT_FALSE(range.contains(2));
  EXPECT_FALSE(range.contains(6));
  EXPECT_TRUE(KeyGroupRange().empty());
  EXPECT_EQ(KeyGroupRange().size(), 0);
  EXPECT_FALSE(KeyGroupRange().contains(0));
}

TEST(KeyGroupRangeTest, IntersectsInEveryPosition) {
  const KeyGroupRange range = {10, 20};
  EXPECT_EQ(range.intersect({0, 9}), KeyGroupRange());
  EXPECT_EQ(range.intersect({0, 10}), (KeyGroupRange{10, 10}));
  EXPECT_EQ(range.intersect({12, 15}), (KeyGroupRange{12, 15}));
  EXPECT_EQ(range.intersect({0, 30}), range);
  EXPECT_EQ(range.intersect({20, 30}), (KeyGroupRange{20, 20}));
  EXPECT_EQ(range.intersect({21, 30}), KeyGroupRange());
  EXPECT_EQ(range.intersect(KeyGroupRange()), KeyGroupRange());
}

}  // namespace
}  // namespace wiesel::state
