#include "connectors/datagen/number_sequence_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/connectors/source_harness.h"

namespace wiesel {
namespace {

using testing::SourceHarness;
using Numbers = std::vector<int64_t>;
using Splits = std::vector<NumberSequenceSource::Split>;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Numbers range(int64_t first, int64_t end) {
  Numbers numbers;
  for (int64_t n = first; n < end; ++n) numbers.push_back(n);
  return numbers;
}

struct Rule {
  std::string name;
  int64_t from = 0;
  int64_t to = 0;
  int parts = 1;
  Splits splits;
};

class NumberSequenceSplitTest : public ::testing::TestWithParam<Rule> {};

TEST_P(NumberSequenceSplitTest, SplitsAsFlinkDoes) {
  const Rule& rule = GetParam();
  EXPECT_EQ(NumberSequenceSource::split(rule.from, rule.to, rule.parts), rule.splits);
}

INSTANTIATE_TEST_SUITE_P(Flink, NumberSequenceSplitTest,
                         ::testing::ValuesIn(std::vector<Rule>{
                             {"OnePart", 3, 7, 1, {{3, 7}}},
                             {"EvenParts", 1, 6, 3, {{1, 2}, {3, 4}, {5, 6}}},
                             {"TheFirstPartsAreLonger", 1, 8, 3, {{1, 3}, {4, 6}, {7, 8}}},
                             {"FewerNumbersThanParts", 5, 6, 4, {{5, 5}, {6, 6}}},
                             {"OneNumber", 5, 5, 2, {{5, 5}}},
                             {"AroundZero", -3, 2, 2, {{-3, -1}, {0, 2}}},
                             {"AllNumbersInOnePart", kLeast, kMost, 1, {{kLeast, kMost}}},
                             {"AllNumbersInTwoParts", kLeast, kMost, 2, {{kLeast, -1}, {0, kMost}}},
                         }),
                         [](const auto& info) { return info.param.name; });

TEST(NumberSequenceSourceTest, RefusesASequenceThatRunsBackwards) {
  try {
    NumberSequenceSource(5, 3);
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "a sequence of numbers needs from <= to, got from 5 to 3");
  }
}

TEST(NumberSequenceSourceTest, GivesEachSubtaskItsStretchInOrder) {
  const NumberSequenceSource source(0, 1000);
  Numbers all;
  for (int subtask = 0; subtask < 3; ++subtask) {
    SourceHarness<int64_t> harness(source, subtask, 3);
    harness.open();
    ASSERT_TRUE(harness.pollToEnd());
    const Numbers given = harness.take();
    all.insert(all.end(), given.begin(), given.end());
  }
  EXPECT_EQ(all, range(0, 1001));
}

TEST(NumberSequenceSourceTest, ASubtaskWithoutNumbersEndsAtOnce) {
  const NumberSequenceSource source(1, 1);
  SourceHarness<int64_t> harness(source, 1, 2);
  harness.open();
  EXPECT_EQ(harness.poll(), PollResult::kEnd);
  EXPECT_EQ(harness.take(), Numbers());
}

TEST(NumberSequenceSourceTest, EndsAtTheHighestNumberThereIs) {
  const NumberSequenceSource source(kMost - 1, kMost);
  SourceHarness<int64_t> harness(source);
  harness.open();
  ASSERT_TRUE(harness.pollToEnd());
  EXPECT_EQ(harness.take(), (Numbers{kMost - 1, kMost}));
}

TEST(NumberSequenceSourceTest, GoesOnWhereTheSnapshotsWereTakenInOneSubtask) {
  const NumberSequenceSource source(0, 2999);
  std::vector<state::OperatorStateSnapshot> snapshots;
  Numbers given;
  for (int subtask = 0; subtask < 2; ++subtask) {
    SourceHarness<int64_t> harness(source, subtask, 2);
    harness.open();
    harness.poll();
    snapshots.push_back(harness.snapshot());
    const Numbers taken = harness.take();
    given.insert(given.end(), taken.begin(), taken.end());
    harness.poll();  // Lost with the failure.
  }
  SourceHarness<int64_t> restored(source, 0, 1);
  restored.restore(snapshots);
  restored.open();
  ASSERT_TRUE(restored.pollToEnd());
  const Numbers rest = restored.take();
  EXPECT_TRUE(std::ranges::is_sorted(rest));
  given.insert(given.end(), rest.begin(), rest.end());
  std::ranges::sort(given);
  EXPECT_EQ(given, range(0, 3000));
}

TEST(NumberSequenceSourceTest, ARestoredSubtaskWithoutAStretchGivesNothing) {
  const NumberSequenceSource source(0, 9);
  SourceHarness<int64_t> harness(source, 2, 3);
  harness.restore({});
  harness.open();
  EXPECT_EQ(harness.poll(), PollResult::kEnd);
}

}  // namespace
}  // namespace wiesel
