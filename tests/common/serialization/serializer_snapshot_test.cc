#include "common/serialization/serializer_snapshot.h"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/chrono_serializer.h"
#include "common/serialization/serializer.h"
#include "common/serialization/tagged_union.h"
#include "common/serialization/variant_serializer.h"
#include "common/serialization/void_namespace.h"
#include "tests/common/serialization/allocation_probe.h"
#include "tests/common/serialization/example_types.h"
#include "tests/common/serialization/flink_bytes.h"

namespace wiesel {
namespace {

using examples::Order;
using examples::Person;
using StringLong = std::pair<std::string, int64_t>;

template <class T>
SerializerSnapshot of() {
  return Serializer<T>::snapshot();
}

/// Our snapshot of each type in the savepoints of Flink.
std::map<std::string, SerializerSnapshot> ours() {
  using Snapshot = SerializerSnapshot;
  return {
      {"String", of<std::string>()},
      {"Long", of<int64_t>()},
      {"Integer", of<int32_t>()},
      {"Double", of<double>()},
      {"Boolean", of<bool>()},
      {"VoidNamespace", of<VoidNamespace>()},
      {"TimeWindow", Snapshot::timeWindow()},
      {"List<String>", of<std::vector<std::string>>()},
      {"List<Tuple2<String,Long>>", of<std::vector<StringLong>>()},
      {"List<TaggedUnion<Tuple2<String,Long>,Tuple2<String,Long>>>",
       of<std::vector<TaggedUnion<StringLong, StringLong>>>()},
      {"Map<String,Long>", of<std::unordered_map<std::string, int64_t>>()},
      {"Tuple2<String,Long>", of<StringLong>()},
      {"Tuple2<Long,Long>", of<std::tuple<int64_t, long long>>()},
      {"Tuple3<String,Long,Double>", of<std::tuple<std::string, int64_t, double>>()},
      {"Timer<String,VoidNamespace>", Snapshot::timer(of<std::string>(), of<VoidNamespace>())},
      {"Timer<Integer,VoidNamespace>", Snapshot::timer(of<int32_t>(), of<VoidNamespace>())},
      {"Timer<Long,VoidNamespace>", Snapshot::timer(of<int64_t>(), of<VoidNamespace>())},
      {"Timer<String,TimeWindow>", Snapshot::timer(of<std::string>(), Snapshot::timeWindow())},
      {"org.wiesel.oracle.SavepointCheck$Person", of<Person>()},
  };
}

std::string bytesOf(const SerializerSnapshot& snapshot) {
  DataOutput output;
  snapshot.writeTopLevel(output);
  return output.take();
}

class FlinkSnapshotTest : public ::testing::TestWithParam<FlinkSnapshot> {};

TEST_P(FlinkSnapshotTest, IsWrittenByteForByteAsFlinkWritesIt) {
  const SerializerSnapshot snapshot = ours().at(std::string(GetParam().type_name));
  EXPECT_EQ(hexOfBytes(bytesOf(snapshot)), GetParam().hex);
}

TEST_P(FlinkSnapshotTest, IsReadAsTheSnapshotOfTheTwinType) {
  const std::string bytes = bytesOfHex(GetParam().hex);
  DataInput input(bytes);
  const SerializerSnapshot snapshot = SerializerSnapshot::readTopLevel(input);
  ASSERT_TRUE(input.ok()) << input.error();
  EXPECT_TRUE(input.atEnd());
  EXPECT_EQ(snapshot, ours().at(std::string(GetParam().type_name)));
  EXPECT_EQ(snapshot.typeName(), GetParam().type_name);
}

TEST_P(FlinkSnapshotTest, FailsWhereverItIsTruncated) {
  const std::string bytes = bytesOfHex(GetParam().hex);
  for (size_t size = 0; size < bytes.size(); ++size) {
    DataInput input(std::string_view(bytes).substr(0, size));
    SerializerSnapshot::readTopLevel(input);
    EXPECT_FALSE(input.ok()) << size;
  }
}

TEST_P(FlinkSnapshotTest, TakesLittleMemoryWhateverByteIsWrong) {
  constexpr size_t kLargest = 64 * 1024;
  const std::string bytes = bytesOfHex(GetParam().hex);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string corrupt = bytes;
    corrupt[at] = static_cast<char>(corrupt[at] ^ 0xFF);
    DataInput input(corrupt);
    const AllocationProbe probe;
    SerializerSnapshot::readTopLevel(input);
    EXPECT_LE(probe.largest(), kLargest) << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Flink, FlinkSnapshotTest, ::testing::ValuesIn(kFlinkSnapshots),
                         [](const auto& info) {
                           std::string name;
                           for (const char c : info.param.type_name) {
                             if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                           }
                           return name;
                         });

TEST(SerializerSnapshotTest, ReadsBackTypesThatFlinkDoesNotHave) {
  using Variant = std::variant<std::monostate, uint64_t, std::string>;
  const std::vector<SerializerSnapshot> snapshots = {
      of<Order>(),
      of<uint8_t>(),
      of<examples::Level>(),
      of<std::optional<int32_t>>(),
      of<std::vector<Variant>>(),
      of<std::chrono::milliseconds>(),
      of<std::map<std::chrono::system_clock::time_point, float>>(),
      of<std::tuple<int8_t, int16_t>>(),
      SerializerSnapshot::wieselType("Of.The.Future", {of<Order>()}, "in detail"),
  };
  for (const SerializerSnapshot& snapshot : snapshots) {
    const std::string bytes = bytesOf(snapshot);
    DataInput input(bytes);
    EXPECT_EQ(SerializerSnapshot::readTopLevel(input), snapshot) << snapshot.typeName();
    EXPECT_TRUE(input.atEnd()) << snapshot.typeName() << ": " << input.error();
  }
}

TEST(SerializerSnapshotTest, NamesTypesInWordsThatTellThemApart) {
  EXPECT_EQ(
      (of<std::map<std::string, std::vector<std::tuple<float, int16_t, int8_t>>>>().typeName()),
      "Map<String,List<Tuple3<Float,Short,Byte>>>");
  EXPECT_EQ(of<Order>().typeName(), "wiesel.examples.Order");
  EXPECT_EQ(of<uint16_t>().typeName(), "UnsignedShort");
  EXPECT_EQ(of<std::optional<int32_t>>().typeName(), "Optional<Integer>");
  EXPECT_EQ(of<examples::Level>().typeName(), "wiesel.examples.Level<UnsignedByte>");
  EXPECT_NE(of<std::chrono::seconds>(), of<std::chrono::milliseconds>());
}

template <class T>
void expectFixedLength(int length) {
  EXPECT_EQ(Serializer<T>::kFixedLength, length) << of<T>().typeName();
  EXPECT_EQ(of<T>().fixedLength(), length) << of<T>().typeName();
}

TEST(SerializerSnapshotTest, KnowsTheFixedLengthsThatDecideTheKeyLayout) {
  expectFixedLength<bool>(1);
  expectFixedLength<int8_t>(1);
  expectFixedLength<int16_t>(2);
  expectFixedLength<int32_t>(4);
  expectFixedLength<int64_t>(8);
  expectFixedLength<uint8_t>(1);
  expectFixedLength<uint16_t>(2);
  expectFixedLength<uint32_t>(4);
  expectFixedLength<uint64_t>(8);
  expectFixedLength<float>(4);
  expectFixedLength<double>(8);
  expectFixedLength<VoidNamespace>(0);
  expectFixedLength<examples::Level>(1);
  expectFixedLength<std::chrono::system_clock::time_point>(8);
  expectFixedLength<std::pair<int32_t, bool>>(5);
  expectFixedLength<std::tuple<int32_t, std::pair<double, int8_t>>>(13);
  expectFixedLength<std::tuple<int32_t, std::string>>(-1);
  expectFixedLength<std::string>(-1);
  expectFixedLength<std::vector<int32_t>>(-1);
  expectFixedLength<std::map<int32_t, int32_t>>(-1);
  expectFixedLength<std::optional<int32_t>>(-1);
  expectFixedLength<Person>(-1);
  EXPECT_EQ(SerializerSnapshot::timeWindow().fixedLength(), 16);
}

TEST(SerializerSnapshotTest, SaysWhichClassOrVersionItCannotRead) {
  SerializerSnapshot kryo;
  kryo.class_name = "org.apache.flink.KryoSerializerSnapshot";
  std::string bytes = bytesOf(kryo);
  DataInput unknown(bytes);
  SerializerSnapshot::readTopLevel(unknown);
  EXPECT_EQ(
      unknown.error(),
      "the serializer snapshot class org.apache.flink.KryoSerializerSnapshot is not supported "
      "(at byte 49 of 49)");

  SerializerSnapshot old = of<std::string>();
  old.version = 2;
  bytes = bytesOf(old);
  DataInput versioned(bytes);
  SerializerSnapshot::readTopLevel(versioned);
  EXPECT_TRUE(versioned.error().starts_with("the version of serializer snapshot " + old.class_name +
                                            " is 2; only 3 can be read"))
      << versioned.error();
}

TEST(SerializerSnapshotTest, FailsOnSnapshotsNestedWithoutEnd) {
  SerializerSnapshot deep = of<std::string>();
  for (int i = 0; i < 200; ++i) deep = SerializerSnapshot::list(std::move(deep));
  const std::string bytes = bytesOf(deep);
  DataInput input(bytes);
  SerializerSnapshot::readTopLevel(input);
  EXPECT_TRUE(input.error().starts_with("serializer snapshots are nested more than"))
      << input.error();
}

TEST(SerializerSnapshotTest, KeepsTheSubclassesOfAPojo) {
  SerializerSnapshot snapshot = of<Person>();
  snapshot.registered_subclasses = {{"a.B", std::nullopt, "value"}};
  snapshot.other_subclasses = {{"a.C", "key", std::nullopt}, {"a.D", "", ""}};
  const std::string bytes = bytesOf(snapshot);
  DataInput input(bytes);
  EXPECT_EQ(SerializerSnapshot::readTopLevel(input), snapshot) << input.error();
  EXPECT_TRUE(input.atEnd());
}

}  // namespace
}  // namespace wiesel
