#include "common/ids.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <unordered_set>

namespace wiesel {
namespace {

TEST(Id128Test, TextIsItsBytesInOrder) {
  std::array<uint8_t, 16> bytes{};
  bytes[0] = 0x1b;
  bytes[15] = 0xe0;
  const Id128 id(bytes);
  EXPECT_EQ(id.toHex(), "1b0000000000000000000000000000e0");
  std::ostringstream out;
  out << id;
  EXPECT_EQ(out.str(), id.toHex());
}

TEST(Id128Test, ReadsBackWhatItWrites) {
  SeededRandom random(1);
  for (int i = 0; i < 100; ++i) {
    const Id128 id = randomId(random);
    EXPECT_EQ(Id128::fromHex(id.toHex()), id);
    EXPECT_EQ(Id128::fromBytes(id.toBytes()), id);
  }
}

TEST(Id128Test, AcceptsUpperCase) {
  EXPECT_EQ(Id128::fromHex("FD72014D4C864993A2E5A9287B4A9C5D")->toHex(),
            "fd72014d4c864993a2e5a9287b4a9c5d");
}

TEST(Id128Test, RefusesWhatIsNoId) {
  for (const char* text :
       {"", "nothex", "fd72014d4c864993a2e5a9287b4a9c5", "fd72014d4c864993a2e5a9287b4a9c5d0",
        "gd72014d4c864993a2e5a9287b4a9c5d", "fd72014d-4c86-4993-a2e5-a9287b4a9c5"}) {
    EXPECT_EQ(Id128::fromHex(text), std::nullopt) << text;
  }
  EXPECT_EQ(Id128::fromBytes("short"), std::nullopt);
}

TEST(Id128Test, IsOrderedAndHashable) {
  const Id128 low = *Id128::fromHex("00000000000000000000000000000001");
  const Id128 high = *Id128::fromHex("80000000000000000000000000000000");
  EXPECT_LT(low, high);
  EXPECT_TRUE(Id128().isZero());
  EXPECT_FALSE(low.isZero());
  EXPECT_EQ(std::unordered_set<Id128>({low, high, low}).size(), 2u);
}

TEST(Id128Test, RandomIdsDiffer) {
  SystemRandom random;
  std::set<Id128> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(randomId(random));
  EXPECT_EQ(ids.size(), 1000u);
}

}  // namespace
}  // namespace wiesel
