#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "connectors/collection/collection_source.h"
#include "connectors/datagen/data_generator_source.h"
#include "tests/connectors/source_harness.h"

namespace wiesel {
namespace {

using testing::SourceHarness;
using Numbers = std::vector<int64_t>;

Numbers range(int64_t first, int64_t end, int64_t step = 1) {
  Numbers numbers;
  for (int64_t n = first; n < end; n += step) numbers.push_back(n);
  return numbers;
}

DataGeneratorSource<int64_t> numbersBelow(int64_t count, double per_second = 0) {
  return DataGeneratorSource<int64_t>([](int64_t number) { return number; }, count, per_second);
}

TEST(DataGeneratorSourceTest, GivesEachSubtaskItsShare) {
  const auto source = numbersBelow(1001);
  for (int subtask = 0; subtask < 3; ++subtask) {
    SourceHarness<int64_t> harness(source, subtask, 3);
    harness.open();
    ASSERT_TRUE(harness.pollToEnd());
    EXPECT_EQ(harness.take(), range(subtask, 1001, 3));
  }
}

TEST(DataGeneratorSourceTest, GoesOnWhereTheSnapshotWasTaken) {
  const auto source = numbersBelow(1000);
  SourceHarness<int64_t> first(source);
  first.open();
  first.poll();
  const auto snapshot = first.snapshot();
  const Numbers before = first.take();
  first.poll();  // Lost with the failure.

  SourceHarness<int64_t> second(source);
  second.restore({snapshot});
  second.open();
  ASSERT_TRUE(second.pollToEnd());
  EXPECT_EQ(second.take(), range(static_cast<int64_t>(before.size()), 1000));
}

TEST(DataGeneratorSourceTest, GivesTheSplitsOfTwoSubtasksToOneInOrder) {
  const auto source = numbersBelow(3000);
  std::vector<state::OperatorStateSnapshot> snapshots;
  Numbers given;
  for (int subtask = 0; subtask < 2; ++subtask) {
    SourceHarness<int64_t> harness(source, subtask, 2);
    harness.open();
    for (int polls = 0; polls <= subtask; ++polls) harness.poll();  // One is ahead.
    snapshots.push_back(harness.snapshot());
    const Numbers taken = harness.take();
    given.insert(given.end(), taken.begin(), taken.end());
  }
  SourceHarness<int64_t> one(source);
  one.restore(snapshots);
  one.open();
  ASSERT_TRUE(one.pollToEnd());
  const Numbers rest = one.take();
  EXPECT_TRUE(std::ranges::is_sorted(rest));
  given.insert(given.end(), rest.begin(), rest.end());
  std::ranges::sort(given);
  EXPECT_EQ(given, range(0, 3000));
}

TEST(DataGeneratorSourceTest, EndsAtOnceWithoutASplit) {
  const auto source = numbersBelow(1000);
  SourceHarness<int64_t> harness(source, 1, 2);
  harness.restore({});
  harness.open();
  EXPECT_EQ(harness.poll(), PollResult::kEnd);
  EXPECT_EQ(harness.take(), Numbers());
}

TEST(DataGeneratorSourceTest, KeepsItsShareOfTheRate) {
  const auto source = numbersBelow(1'000'000, 2000);
  SourceHarness<int64_t> harness(source, 0, 2);
  harness.open();
  EXPECT_EQ(harness.poll(), PollResult::kNothing);
  EXPECT_TRUE(harness.time().hasTimer());
  harness.time().advanceTo(harness.time().currentTimeMs() + 100);
  while (harness.poll() == PollResult::kMore) {
  }
  EXPECT_EQ(harness.take().size(), 100u);
}

TEST(CollectionSourceTest, GoesOnWhereTheSnapshotWasTaken) {
  const CollectionSource<int64_t> source(range(0, 1000));
  SourceHarness<int64_t> first(source);
  first.open();
  first.poll();
  const auto snapshot = first.snapshot();
  const auto taken = static_cast<int64_t>(first.take().size());
  ASSERT_GT(taken, 0);
  ASSERT_LT(taken, 1000);

  SourceHarness<int64_t> second(source);
  second.restore({snapshot});
  second.open();
  ASSERT_TRUE(second.pollToEnd());
  EXPECT_EQ(second.take(), range(taken, 1000));
}

TEST(CollectionSourceTest, EndsAtOnceWhenThereIsNothing) {
  const CollectionSource<int64_t> source({});
  SourceHarness<int64_t> harness(source);
  harness.open();
  EXPECT_EQ(harness.poll(), PollResult::kEnd);
}

}  // namespace
}  // namespace wiesel
