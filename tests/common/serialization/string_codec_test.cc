#include "common/serialization/string_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/common/serialization/flink_bytes.h"
#include "tests/common/serialization/random_values.h"

namespace wiesel::internal {
namespace {

std::string written(std::string_view text) {
  DataOutput output;
  writeString(text, output);
  return output.take();
}

std::string readBack(std::string_view bytes) {
  DataInput input(bytes);
  std::string text = "what was there before";
  EXPECT_TRUE(readString(text, input)) << hexOfBytes(bytes) << ": " << input.error();
  EXPECT_TRUE(input.atEnd()) << hexOfBytes(bytes);
  return text;
}

/// A Java String of these units, as Flink writes it.
std::string javaString(const std::vector<uint16_t>& units) {
  DataOutput output;
  const auto write_varint = [&output](uint32_t value) {
    for (; value >= 0x80; value >>= 7) output.writeByte(static_cast<uint8_t>(value | 0x80));
    output.writeByte(static_cast<uint8_t>(value));
  };
  write_varint(static_cast<uint32_t>(units.size() + 1));
  for (const uint16_t unit : units) write_varint(unit);
  return output.take();
}

struct Rule {
  std::string name;
  std::string text;
  std::vector<uint16_t> units;
};

std::vector<Rule> rules() {
  return {
      {"Empty", "", {}},
      {"Ascii", "a\x7f", {0x61, 0x7f}},
      {"Nul", std::string(1, '\0'), {0}},
      {"TwoBytes", "\u0080\u00e9\u07ff", {0x80, 0xe9, 0x7ff}},
      {"ThreeBytes", "\u0800\u4e2d\uffff", {0x800, 0x4e2d, 0xffff}},
      {"FourBytesAreAPair",
       "\U00010000\U0001F600\U0010FFFF",
       {0xd800, 0xdc00, 0xd83d, 0xde00, 0xdbff, 0xdfff}},
      {"ABareContinuationIsALowSurrogate", "\x80", {0xdc80}},
      {"AByteThatNoUtf8HasIsALowSurrogate", "\xff", {0xdcff}},
      {"ATornCharacterIsOneSurrogateAByte", "\xe4\xb8", {0xdce4, 0xdcb8}},
      {"ATornCharacterDoesNotSwallowTheNext", "\xf0\x9f\x98z", {0xdcf0, 0xdc9f, 0xdc98, 'z'}},
      {"OverlongIsNoUtf8", "\xc0\x80", {0xdcc0, 0xdc80}},
      {"AboveTheLastCodePointIsNoUtf8", "\xf4\x90\x80\x80", {0xdcf4, 0xdc90, 0xdc80, 0xdc80}},
      {"ALoneHighSurrogateStays", "\xed\xa0\x80", {0xd800}},
      {"ALoneHighSurrogateBeforeTextStays",
       "\xed\xa0\xbd"
       "a",
       {0xd83d, 'a'}},
      {"ALoneLowSurrogateStays", "\xed\xb0\x80z", {0xdc00, 'z'}},
      {"ALowSurrogateAfterAPairStays", "\U0001F600\xed\xb0\x80", {0xd83d, 0xde00, 0xdc00}},
      {"SurrogatesThatWouldReadAsAPairAreBytes",
       "\xed\xa0\x80\xed\xb0\x80",
       {0xdced, 0xdca0, 0xdc80, 0xdc00}},
      {"AHighSurrogateBeforeAStrayByteIsBytes",
       "\xed\xa0\x80\x80",
       {0xdced, 0xdca0, 0xdc80, 0xdc80}},
      {"ASurrogateThatWouldReadAsAByteIsBytes", "\xed\xb2\x80", {0xdced, 0xdcb2, 0xdc80}},
  };
}

class StringCodecTest : public ::testing::TestWithParam<Rule> {};

TEST_P(StringCodecTest, ReadsAndWritesTheUnits) {
  const Rule& rule = GetParam();
  EXPECT_EQ(hexOfBytes(written(rule.text)), hexOfBytes(javaString(rule.units)));
  EXPECT_EQ(readBack(javaString(rule.units)), rule.text);
}

TEST_P(StringCodecTest, HashesTheUnitsAsJavaDoes) {
  uint32_t hash = 0;
  for (const uint16_t unit : GetParam().units) hash = 31 * hash + unit;
  EXPECT_EQ(javaStringHash(GetParam().text), static_cast<int32_t>(hash));
}

INSTANTIATE_TEST_SUITE_P(Rules, StringCodecTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST(StringCodecLengthTest, WritesAndReadsAsciiOfEveryLengthAroundTheBorders) {
  for (size_t size = 0; size < 600; ++size) {
    std::string text;
    std::vector<uint16_t> units;
    uint32_t hash = 0;
    for (size_t i = 0; i < size; ++i) {
      units.push_back(static_cast<uint16_t>('!' + (i * 7 + size) % 90));
      text += static_cast<char>(units.back());
      hash = 31 * hash + units.back();
    }
    ASSERT_EQ(written(text), javaString(units)) << size;
    ASSERT_EQ(readBack(javaString(units)), text) << size;
    ASSERT_EQ(javaStringHash(text), static_cast<int32_t>(hash)) << size;
  }
}

TEST(StringCodecLengthTest, SeesOneOddByteAnywhere) {
  for (size_t size = 1; size < 40; ++size) {
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '\xe9';
      EXPECT_FALSE(isAscii(text.data(), size)) << size << " " << at;
      ASSERT_EQ(readBack(written(text)), text) << size << " " << at;
    }
    const std::string text(size, '\x7f');
    EXPECT_TRUE(isAscii(text.data(), size)) << size;
  }
}

TEST(StringCodecRandomTest, GivesBackEverySequenceOfBytes) {
  const uint64_t seed = testSeed();
  SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
  RandomValues random(seed);
  // Bytes that meet in surrogates, in escapes and at the ends of ranges.
  const std::string bytes("a\x80\x9f\xa0\xaf\xb0\xb2\xbf\xc0\xc2\xe0\xed\xee\xf0\xf4\xff", 16);
  for (int round = 0; round < 100'000; ++round) {
    std::string text;
    for (uint64_t size = random.below(14); size > 0; --size) text += bytes[random.below(16)];
    ASSERT_EQ(readBack(written(text)), text) << hexOfBytes(text);
    DataOutput output;
    output.writeUtf(text);
    ASSERT_EQ(DataInput(output.view()).readUtf(), text) << hexOfBytes(text);
  }
}

TEST(StringCodecRandomTest, GivesBackJavaStringsWithLoneHighSurrogates) {
  const uint64_t seed = testSeed();
  SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
  RandomValues random(seed);
  const std::vector<uint16_t> plain = {'a', 0x7f, 0x80, 0x7ff, 0x800, 0x4e2d, 0xd7ff, 0xe000};
  for (int round = 0; round < 20'000; ++round) {
    std::vector<uint16_t> units;
    for (uint64_t size = random.below(10); size > 0; --size) {
      const bool surrogate = random.chance(30);
      if (surrogate) units.push_back(static_cast<uint16_t>(0xd800 + random.below(0x400)));
      if (surrogate && random.chance(50)) {
        units.push_back(static_cast<uint16_t>(0xdc00 + random.below(0x400)));
      }
      units.push_back(plain[random.below(plain.size())]);
    }
    const std::string bytes = javaString(units);
    ASSERT_EQ(hexOfBytes(written(readBack(bytes))), hexOfBytes(bytes));
  }
}

TEST(StringCodecMalformedTest, FailsWithoutReadingOn) {
  const std::vector<std::string> inputs = {
      "",  // No length.
      std::string("\x05"
                  "abc"),                       // Too few units.
      std::string("\x80"),                      // A torn length.
      std::string("\xff\xff\xff\xff\x7f"),      // A length of 2^35.
      std::string("\x80\x80\x80\x80\x80\x01"),  // A length of six bytes.
      std::string("\x02\x80"),                  // A torn unit.
      std::string("\x02\x80\x80\x04"),          // A unit of 0x10000.
      std::string("\x02\x80\x80\x80\x01"),      // A unit of four bytes.
  };
  for (const std::string& bytes : inputs) {
    DataInput input(bytes);
    std::string text = "before";
    EXPECT_FALSE(readString(text, input)) << hexOfBytes(bytes);
    EXPECT_FALSE(input.ok()) << hexOfBytes(bytes);
  }
}

TEST(StringCodecNullTest, ReadsNullWithoutAFailure) {
  DataOutput output;
  writeNullString(output);
  DataInput input(output.view());
  std::string text = "before";
  EXPECT_FALSE(readString(text, input));
  EXPECT_TRUE(input.ok());
  EXPECT_TRUE(input.atEnd());
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace wiesel::internal
