#include "common/random.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace wiesel {
namespace {

std::vector<uint64_t> draw(uint64_t seed, int count) {
  SeededRandom random(seed);
  std::vector<uint64_t> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(random.next());
  return drawn;
}

TEST(SeededRandomTest, RepeatsTheNumbersOfItsSeed) {
  EXPECT_EQ(draw(42, 10), draw(42, 10));
  EXPECT_NE(draw(42, 10), draw(43, 10));
}

// The seeds of recorded failures must keep their meaning.
TEST(SeededRandomTest, NeverChangesItsNumbers) {
  EXPECT_EQ(draw(0, 3),
            (std::vector<uint64_t>{0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0}));
}

TEST(RandomSourceTest, BelowReachesAllAndOnlyTheRange) {
  SeededRandom random(7);
  std::array<int, 5> counts{};
  for (int i = 0; i < 5000; ++i) ++counts[random.below(5)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(RandomSourceTest, DoublesFillTheUnitInterval) {
  SeededRandom random(7);
  double low = 1;
  double high = 0;
  for (int i = 0; i < 1000; ++i) {
    const double drawn = random.nextDouble();
    low = std::min(low, drawn);
    high = std::max(high, drawn);
  }
  EXPECT_GE(low, 0);
  EXPECT_LT(low, 0.02);
  EXPECT_LT(high, 1);
  EXPECT_GT(high, 0.98);
}

}  // namespace
}  // namespace wiesel
