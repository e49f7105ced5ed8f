#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "tests/common/serialization/flink_bytes.h"

namespace wiesel {
namespace {

TEST(DataOutputTest, WritesNumbersBigEndian) {
  DataOutput output;
  output.writeByte(0xFE);
  output.writeBool(true);
  output.writeShort(-2);
  output.writeInt(0x01020304);
  output.writeLong(std::numeric_limits<int64_t>::min() + 1);
  output.writeFloat(1.5f);
  output.writeDouble(-0.25);
  EXPECT_EQ(hexOfBytes(output.view()),
            "fe01fffe010203048000000000000001"
            "3fc00000"
            "bfd0000000000000");
}

TEST(DataOutputTest, KeepsWhatWasWrittenWhileItGrows) {
  DataOutput output;
  std::string expected;
  for (int i = 0; i < 10'000; ++i) {
    output.writeByte(static_cast<uint8_t>(i));
    expected += static_cast<char>(i);
  }
  EXPECT_EQ(output.view(), expected);
  EXPECT_EQ(output.size(), expected.size());
}

TEST(DataOutputTest, StartsAfreshAfterTakeAndClear) {
  DataOutput output;
  output.writeInt(7);
  EXPECT_EQ(output.take(), std::string("\0\0\0\7", 4));
  EXPECT_EQ(output.size(), 0u);
  output.writeByte(1);
  output.clear();
  output.writeByte(2);
  EXPECT_EQ(output.view(), "\2");
}

TEST(DataOutputTest, IsEmptyAfterItWasMovedFrom) {
  DataOutput output;
  output.writeInt(7);
  DataOutput other = std::move(output);
  output.writeByte(1);  // NOLINT: a moved-from output is promised to be usable.
  EXPECT_EQ(output.view(), "\1");
  output = std::move(other);
  EXPECT_EQ(output.size(), 4u);
  EXPECT_EQ(other.size(), 0u);  // NOLINT
}

TEST(DataOutputTest, PatchesAnIntThatWasWrittenBefore) {
  DataOutput output;
  output.writeByte(9);
  output.writeInt(0);
  output.writeByte(8);
  output.patchInt(1, -2);
  EXPECT_EQ(hexOfBytes(output.view()), "09fffffffe08");
}

TEST(DataOutputTest, WritesNamesInModifiedUtf8) {
  DataOutput output;
  output.writeUtf(std::string_view("a\0\u00e9\u4e2d\U0001F600", 11));
  EXPECT_EQ(hexOfBytes(output.view()),
            "000e"
            "61"
            "c080"
            "c3a9"
            "e4b8ad"
            "eda0bdedb880");
}

TEST(DataOutputDeathTest, RefusesANameThatItsLengthCannotHold) {
  DataOutput output;
  output.writeUtf(std::string(65'535, 'x'));
  EXPECT_EQ(output.size(), 65'537u);
  EXPECT_DEATH(output.writeUtf(std::string(65'536, 'x')), "a name of 65536 bytes");
}

TEST(DataInputTest, ReadsWhatWasWritten) {
  DataOutput output;
  output.writeByte(0xFE);
  output.writeBool(true);
  output.writeShort(-2);
  output.writeInt(std::numeric_limits<int32_t>::min());
  output.writeLong(std::numeric_limits<int64_t>::max());
  output.writeFloat(-1.5f);
  output.writeDouble(1e300);
  output.writeUtf(std::string_view("\0\u00e9\U0001F600\xff", 8));
  output.writeSizedBytes("bytes");
  output.writeRaw("raw");

  DataInput input(output.view());
  EXPECT_EQ(input.readByte(), 0xFE);
  EXPECT_TRUE(input.readBool());
  EXPECT_EQ(input.readShort(), -2);
  EXPECT_EQ(input.readInt(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(input.readLong(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(input.readFloat(), -1.5f);
  EXPECT_EQ(input.readDouble(), 1e300);
  EXPECT_EQ(input.readUtf(), std::string_view("\0\u00e9\U0001F600\xff", 8));
  EXPECT_EQ(input.readSizedBytes(), "bytes");
  EXPECT_EQ(input.readRaw(3), "raw");
  EXPECT_TRUE(input.ok());
  EXPECT_TRUE(input.atEnd());
  EXPECT_EQ(input.position(), output.size());
}

TEST(DataInputTest, StaysFailedAndReadsZerosAfterTheFirstFailure) {
  DataInput input("\1\2\3");
  EXPECT_EQ(input.readShort(), 0x0102);
  EXPECT_EQ(input.readInt(), 0);
  EXPECT_FALSE(input.ok());
  EXPECT_EQ(input.error(),
            "the input ends too early: 4 bytes are needed and 1 are left (at byte 2 of 3)");
  EXPECT_EQ(input.readByte(), 0);
  EXPECT_EQ(input.readUtf(), "");
  EXPECT_EQ(input.readRaw(1), "");
  input.fail("another");
  EXPECT_EQ(input.error(),
            "the input ends too early: 4 bytes are needed and 1 are left (at byte 2 of 3)");
  EXPECT_EQ(input.position(), 2u);
  EXPECT_EQ(input.remaining(), 0u);
}

TEST(DataInputTest, RefusesCountsThatTheInputCannotHold) {
  for (const int32_t count : {-1, 3, std::numeric_limits<int32_t>::max()}) {
    DataOutput output;
    output.writeInt(count);
    output.writeRaw("12345678901234567");
    DataInput input(output.view());
    EXPECT_EQ(input.readCount(8), 0);
    EXPECT_FALSE(input.ok()) << count;
  }
  DataOutput output;
  output.writeInt(2);
  output.writeRaw("12345678901234567");
  DataInput input(output.view());
  EXPECT_EQ(input.readCount(8), 2);
}

TEST(DataInputTest, RefusesNamesThatAreNoModifiedUtf8) {
  for (const std::string_view name : {"\x80", "\xc3", "\xe4\xb8", "\xf0\x9f\x98\x80", "a\xff"}) {
    DataOutput output;
    output.writeShort(static_cast<int16_t>(name.size()));
    output.writeRaw(name);
    DataInput input(output.view());
    EXPECT_EQ(input.readUtf(), "");
    EXPECT_FALSE(input.ok()) << hexOfBytes(name);
  }
}

}  // namespace
}  // namespace wiesel
