#include "state/heap/slot_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "tests/support/test_seed.h"

namespace wiesel::state {
namespace {

uint32_t findSlot(const SlotTable& table, uint32_t hash, uint32_t slot) {
  return table.find(hash, [slot](uint32_t candidate) { return candidate == slot; });
}

TEST(SlotTableTest, FindsNothingWhenItIsEmpty) {
  SlotTable table;
  EXPECT_EQ(findSlot(table, 0, 0), SlotTable::kNone);
  EXPECT_EQ(table.size(), 0u);
}

TEST(SlotTableTest, TellsSlotsOfOneHashApart) {
  SlotTable table;
  for (uint32_t slot = 0; slot < 10; ++slot) table.insert(3, slot);
  for (uint32_t slot = 0; slot < 10; ++slot) EXPECT_EQ(findSlot(table, 3, slot), slot);
  EXPECT_EQ(findSlot(table, 3, 10), SlotTable::kNone);
  EXPECT_EQ(findSlot(table, 4, 3), SlotTable::kNone);
}

TEST(SlotTableTest, MayBeErasedWhileAnEntryWrapsAroundItsEnd) {
  SlotTable table;
  const uint32_t last = 15;  // Of the smallest table.
  table.insert(last, 1);
  table.insert(last, 2);  // Lands at 0.
  table.insert(0, 3);     // Lands at 1.
  table.erase(last, 1);
  EXPECT_EQ(findSlot(table, last, 2), 2u);
  EXPECT_EQ(findSlot(table, 0, 3), 3u);
  table.erase(last, 2);
  EXPECT_EQ(findSlot(table, 0, 3), 3u);
}

TEST(SlotTableTest, ClearForgetsEverything) {
  SlotTable table;
  table.insert(1, 1);
  table.clear();
  EXPECT_EQ(findSlot(table, 1, 1), SlotTable::kNone);
  table.insert(1, 2);
  EXPECT_EQ(findSlot(table, 1, 2), 2u);
}

/// Random insertions and removals of slots whose hashes share `distinct_hashes` values, spread so
/// that chains overlap and wrap around.
void playAgainstSet(uint64_t seed, uint64_t distinct_hashes) {
  SeededRandom random(seed);
  SlotTable table;
  std::set<std::pair<uint32_t, uint32_t>> model;
  uint32_t next_slot = 0;
  for (int i = 0; i < 4000; ++i) {
    const bool growing = i % 1000 < 600;
    if (model.empty() || random.below(10) < (growing ? 7u : 3u)) {
      const auto hash = static_cast<uint32_t>(random.below(distinct_hashes) * 0xFFFFFFF1u);
      table.insert(hash, next_slot);
      model.emplace(hash, next_slot++);
    } else {
      auto victim = model.lower_bound({static_cast<uint32_t>(random.next()), 0});
      if (victim == model.end()) victim = model.begin();
      table.erase(victim->first, victim->second);
      ASSERT_EQ(findSlot(table, victim->first, victim->second), SlotTable::kNone);
      model.erase(victim);
    }
    if (i % 100 != 0) continue;
    ASSERT_EQ(table.size(), model.size());
    for (const auto& [hash, slot] : model) ASSERT_EQ(findSlot(table, hash, slot), slot);
  }
}

TEST(SlotTableTest, HoldsWhatASetHolds) {
  for (uint64_t seed : testing::testSeeds(5)) {
    SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
    playAgainstSet(seed, 7);
    playAgainstSet(seed, 100);
    playAgainstSet(seed, uint64_t{1} << 32);
  }
}

}  // namespace
}  // namespace wiesel::state
