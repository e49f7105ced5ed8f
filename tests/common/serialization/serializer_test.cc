#include "common/serialization/serializer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/chrono_serializer.h"
#include "common/serialization/tagged_union.h"
#include "common/serialization/variant_serializer.h"
#include "common/serialization/void_namespace.h"
#include "tests/common/serialization/example_types.h"
#include "tests/common/serialization/flink_bytes.h"

namespace wiesel {
namespace {

using examples::Address;
using examples::Level;
using examples::Order;
using examples::Person;
using StringLong = std::pair<std::string, int64_t>;

template <class T>
std::string hexOf(const T& value) {
  DataOutput output;
  Serializer<T>::write(value, output);
  return hexOfBytes(output.view());
}

/// Expects that `value` is written as `hex` and that `hex` is read as `value`.
template <class T>
void expectBytes(const T& value, std::string_view hex) {
  EXPECT_EQ(hexOf(value), hex);
  const std::string bytes = bytesOfHex(hex);
  DataInput input(bytes);
  T read{};
  Serializer<T>::read(read, input);
  EXPECT_TRUE(input.ok()) << hex << ": " << input.error();
  EXPECT_TRUE(input.atEnd()) << hex;
  EXPECT_TRUE(read == value) << hex;
}

/// What is left of the input, or the error, after reading a T.
template <class T>
std::string errorOf(std::string_view hex) {
  const std::string bytes = bytesOfHex(hex);
  DataInput input(bytes);
  T value{};
  Serializer<T>::read(value, input);
  return input.error();
}

// Values in the savepoint all-native-hashmap-p1-files and the ones named like the types, written by
// Flink 1.20.5.
TEST(FlinkValueTest, SimpleTypes) {
  expectBytes<std::string>("", "01");
  expectBytes<std::string>("empty", "06656d707479");
  expectBytes<std::string>("\u7a7a", "02faf401");
  expectBytes<int64_t>(1700000000000, "0000018bcfe56800");
  expectBytes<int64_t>(-1, "ffffffffffffffff");
  expectBytes<int32_t>(std::numeric_limits<int32_t>::min(), "80000000");
  expectBytes<double>(-0.25, "bfd0000000000000");
  expectBytes<double>(1e300, "7e37e43c8800759c");
  expectBytes<bool>(true, "01");
  expectBytes<VoidNamespace>({}, "00");
}

TEST(FlinkValueTest, Pojo) {
  expectBytes<Person>({"Ann", 31, 1.5, true, 1700000000000},
                      "020001000000001f0004416e6e003ff8000000000000000000018bcfe56800");
  expectBytes<Person>({std::nullopt, std::nullopt, -0.25, false, std::nullopt},
                      "020000010100bfd000000000000001");
  expectBytes<Person>({"\u674e\u96f7", 0, 1e300, true, -1},
                      "02000100000000000003cece01f7ad02007e37e43c8800759c00ffffffffffffffff");
}

TEST(FlinkValueTest, Tuples) {
  expectBytes<StringLong>({"t1", 1700000000000}, "0374310000018bcfe56800");
  expectBytes<std::pair<int64_t, int64_t>>({-3, 1}, "fffffffffffffffd0000000000000001");
  expectBytes<std::tuple<std::string, int64_t, double>>({"t3", -1, 1e300},
                                                        "037433ffffffffffffffff7e37e43c8800759c");
}

TEST(FlinkValueTest, ListsAndMaps) {
  using Strings = std::vector<std::string>;
  expectBytes<Strings>({""}, "0000000101");
  expectBytes<Strings>({"one", "three"}, "00000002046f6e65067468726565");
  expectBytes<std::map<std::string, int64_t>>(
      {{"one", 5}, {"three", 7}},
      "00000002046f6e65000000000000000005067468726565000000000000000007");
  expectBytes<std::unordered_map<std::string, int64_t>>({{"two", -3}},
                                                        "000000010474776f00fffffffffffffffd");
  expectBytes<std::vector<StringLong>>({{"a", 1}, {"a", 2}},
                                       "000000020261000000000000000102610000000000000002");
}

TEST(FlinkValueTest, TaggedUnions) {
  using Union = TaggedUnion<StringLong, StringLong>;
  expectBytes<Union>(Union::left({"b", 3}), "0102620000000000000003");
  expectBytes<std::vector<Union>>(
      {Union::right({"a", 10}), Union::left({"a", 1}), Union::left({"a", 2})},
      "00000003020261000000000000000a01026100000000000000010102610000000000000002");
}

TEST(SerializerTest, WritesNullWhereTheFormatHasOne) {
  using Text = std::optional<std::string>;
  expectBytes<Text>(std::nullopt, "00");
  expectBytes<Text>("a", "0261");
  expectBytes<std::pair<Text, int32_t>>({std::nullopt, 1}, "0000000001");
  expectBytes<std::optional<Address>>(std::nullopt, "01");
  expectBytes<std::optional<Address>>(Address{"a", 7},
                                      "02"
                                      "0000000007"
                                      "000261");
  expectBytes<std::optional<int16_t>>(std::nullopt, "01");
  expectBytes<std::optional<int16_t>>(7, "000007");
  expectBytes<std::map<int8_t, std::optional<int8_t>>>({{1, std::nullopt}, {2, 3}},
                                                       "00000002"
                                                       "0101"
                                                       "020003");
  EXPECT_EQ(Serializer<Text>::snapshot(), SerializerSnapshot::string());
  EXPECT_EQ(Serializer<std::optional<Address>>::snapshot(), Serializer<Address>::snapshot());
  EXPECT_EQ((Serializer<std::map<bool, std::optional<bool>>>::snapshot()),
            (Serializer<std::map<bool, bool>>::snapshot()));
}

TEST(SerializerTest, WritesTypesOfOurOwn) {
  expectBytes<uint8_t>(200, "c8");
  expectBytes<uint64_t>(std::numeric_limits<uint64_t>::max(), "ffffffffffffffff");
  expectBytes<Level>(Level::kHigh, "c8");
  expectBytes<std::chrono::milliseconds>(std::chrono::milliseconds(-1), "ffffffffffffffff");
  using Variant = std::variant<std::monostate, int8_t, std::string>;
  expectBytes<Variant>(Variant(), "0000");
  expectBytes<Variant>(Variant(int8_t{5}), "0105");
  expectBytes<Variant>(Variant("a"), "020261");
  expectBytes<std::vector<bool>>({true, false}, "000000020100");
}

TEST(SerializerTest, NamesTheFieldOfANullThatItCannotHold) {
  EXPECT_EQ(errorOf<Address>("02"
                             "01"
                             "000261"),
            "number is null, which only a std::optional can hold (at byte 2 of 5)");
  EXPECT_EQ(errorOf<Address>("01"),
            "Address is null, which only a std::optional can hold (at byte 1 of 1)");
  EXPECT_EQ(errorOf<std::string>("00"),
            "a string is null, which only a std::optional can hold (at byte 1 of 1)");
  EXPECT_EQ((errorOf<std::map<bool, bool>>("000000010101")),
            "a map's value is null, which only a std::optional can hold (at byte 6 of 6)");
}

TEST(SerializerTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(errorOf<Address>("04"
                             "0003"
                             "612e62"),
            "a value of Address has the flags 4: values of subclasses cannot be read (at byte 1 of "
            "6)");
  EXPECT_NE((errorOf<TaggedUnion<bool, bool>>("0301")), "");
  EXPECT_NE((errorOf<std::variant<bool, int8_t>>("0201")), "");
}

TEST(SerializerTest, OverwritesTheTarget) {
  std::vector<std::string> list = {"before", "that"};
  std::map<std::string, int32_t> map = {{"before", 1}};
  std::optional<std::string> text = "before";
  DataInput input(
      std::string_view("\0\0\0\1\2a"
                       "\0\0\0\0"
                       "\0",
                       11));
  Serializer<decltype(list)>::read(list, input);
  Serializer<decltype(map)>::read(map, input);
  Serializer<decltype(text)>::read(text, input);
  EXPECT_TRUE(input.ok());
  EXPECT_EQ(list, std::vector<std::string>{"a"});
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(text, std::nullopt);
}

template <class T>
int32_t hashOf(const T& value) {
  return Serializer<T>::hashCode(value);
}

// More hash codes, from Flink itself, are rows of tests/conformance/data/operators.
TEST(HashCodeTest, IsThatOfTheTwinType) {
  EXPECT_EQ(hashOf<bool>(true), 1231);
  EXPECT_EQ(hashOf<bool>(false), 1237);
  EXPECT_EQ(hashOf<int8_t>(-5), -5);
  EXPECT_EQ(hashOf<int16_t>(-300), -300);
  EXPECT_EQ(hashOf<int32_t>(-70000), -70000);
  EXPECT_EQ(hashOf<int64_t>(-1), 0);
  EXPECT_EQ(hashOf<int64_t>(4294967296), 1);
  EXPECT_EQ(hashOf<float>(1.5f), 0x3fc00000);
  EXPECT_EQ(hashOf<float>(-std::nanf("1")), 0x7fc00000);
  EXPECT_EQ(hashOf<double>(1.5), 1073217536);
  EXPECT_EQ(hashOf<double>(-0.0), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(hashOf<double>(-std::nan("1")), 2146959360);
  EXPECT_EQ(hashOf<std::string>("hello world"), 1794106052);
  EXPECT_EQ(hashOf<std::string>("\u7a7a"), 0x7a7a);
  EXPECT_EQ(hashOf<VoidNamespace>({}), 99);
}

TEST(HashCodeTest, CombinesElementsAsJavaDoes) {
  EXPECT_EQ((hashOf<std::pair<std::string, int32_t>>({"a", 1})), 3008);
  EXPECT_EQ((hashOf<std::tuple<std::string, int32_t, bool>>({"a", 1, true})), 94479);
  EXPECT_EQ(hashOf<std::vector<int32_t>>({}), 1);
  EXPECT_EQ(hashOf<std::vector<int32_t>>({1, 2}), (31 + 1) * 31 + 2);
  using Map = std::map<std::string, int32_t>;
  EXPECT_EQ(hashOf<Map>({{"a", 1}, {"b", 2}}), (97 ^ 1) + (98 ^ 2));
  using Unordered = std::unordered_map<std::string, int32_t>;
  EXPECT_EQ(hashOf<Unordered>({{"b", 2}, {"a", 1}}), (97 ^ 1) + (98 ^ 2));
}

TEST(HashCodeTest, OfAStructIsThatOfObjectsHashOverItsFieldsInOrder) {
  EXPECT_EQ(hashOf<Address>({"a", 7}), (31 + 97) * 31 + 7);
}

TEST(HashCodeTest, OfNullIsZero) {
  EXPECT_EQ(hashOf<std::optional<std::string>>(std::nullopt), 0);
  EXPECT_EQ(hashOf<std::optional<std::string>>("a"), 97);
  EXPECT_EQ(hashOf<Person>({{}, {}, {}, false, {}}), ((((31 * 31) * 31) * 31) + 1237) * 31);
}

TEST(HashCodeTest, OfUnsignedAndEnumsIsThatOfTheirNumbers) {
  EXPECT_EQ(hashOf<uint8_t>(200), 200);
  EXPECT_EQ(hashOf<uint32_t>(4294967295), -1);
  EXPECT_EQ(hashOf<uint64_t>(std::numeric_limits<uint64_t>::max()), 0);
  EXPECT_EQ(hashOf<Level>(Level::kHigh), 200);
}

struct Opaque {};
struct OfOpaque {
  int field = 0;
};
WIESEL_DESCRIBE(OfOpaque, field)
struct Derived : OfOpaque {
  int more = 0;
};

TEST(SerializableTest, HoldsForTypesWithASerializerOnly) {
  EXPECT_TRUE((Serializable<std::map<std::string, std::vector<Order>>>));
  EXPECT_TRUE(Serializable<OfOpaque>);
  EXPECT_FALSE(Serializable<Opaque>);
  EXPECT_FALSE(Serializable<std::vector<Opaque>>);
  EXPECT_FALSE((Serializable<std::pair<int, Opaque>>));
  EXPECT_FALSE((Serializable<std::map<int, Opaque>>));
  EXPECT_FALSE(Serializable<std::optional<Opaque>>);
  EXPECT_FALSE(Serializable<std::string_view>);
  EXPECT_FALSE(Serializable<const char*>);
  EXPECT_FALSE(Serializable<Derived>);  // Its own field would be lost.
  EXPECT_TRUE(SerializableKey<Order>);
  EXPECT_FALSE((SerializableKey<TaggedUnion<int, int>>));
  EXPECT_FALSE((SerializableKey<std::vector<TaggedUnion<int, int>>>));
}

}  // namespace
}  // namespace wiesel
