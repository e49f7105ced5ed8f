#include "common/hash/murmur.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace wiesel {
namespace {

std::string hexOf(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : murmur3_128(text)) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 0x0F];
  }
  return hex;
}

TEST(MurmurTest, GivesTheOperatorIdsThatFlinkGaveToUids) {
  // From the savepoints of Flink 1.20.5.
  EXPECT_EQ(hexOf("keyed-string"), "72109e4753cd9f8017460adae3d9ed0f");
  EXPECT_EQ(hexOf("keyed-long"), "9ffc9079ae46c8da2062fcba248ae73c");
  EXPECT_EQ(hexOf("pojo"), "c019845b8f1886164acaf3f86d415437");
  EXPECT_EQ(hexOf("bcast"), "07a6ec7f7ea4aa0ab982082b2e483a10");
  EXPECT_EQ(hexOf("win-reduce"), "5caa687803ba4c9170450146231bffe8");
}

TEST(MurmurTest, HashesTailsOfEveryLength) {
  EXPECT_EQ(hexOf(""), "00000000000000000000000000000000");
  EXPECT_EQ(hexOf("a"), "897859f6655555855a890e51483ab5e6");
  EXPECT_EQ(hexOf("abcdefg"), "99e49ec09f2fcda6b6bb55b13aa23a1c");
  EXPECT_EQ(hexOf("abcdefgh"), "028cef37b00a8acca14069eb600d8948");
  EXPECT_EQ(hexOf("abcdefghi"), "64793cf1cfc0470533e041b7f53db579");
  EXPECT_EQ(hexOf("abcdefghijklmno"), "fb2f0c895124be8a612a969c2d8c546a");
  EXPECT_EQ(hexOf("abcdefghijklmnop"), "23b74c22a33ccac41aeb31b395d63343");
  EXPECT_EQ(hexOf("abcdefghijklmnopq"), "57a6bd887f746475e40d11a19d49daec");
  EXPECT_EQ(hexOf("abcdefghijklmnopqrstuvwxyzabcdefg"), "1e353c11e9c2b87853c50eeaa6d26b85");
}

TEST(MurmurTest, SpreadsHashCodesAsFlinkDoes) {
  EXPECT_EQ(murmurHash(0), 593689054);
  EXPECT_EQ(murmurHash(1), 68075478);
  EXPECT_EQ(murmurHash(-1), 1982413648);
  EXPECT_EQ(murmurHash(1231), 1090530765);
  EXPECT_EQ(murmurHash(std::numeric_limits<int32_t>::min()), 1718298732);
}

TEST(MurmurTest, IsNeverNegative) {
  for (int64_t code = std::numeric_limits<int32_t>::min();
       code <= std::numeric_limits<int32_t>::max(); code += 4099) {
    ASSERT_GE(murmurHash(static_cast<int32_t>(code)), 0) << code;
  }
}

}  // namespace
}  // namespace wiesel
