#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "runtime/time/timer_queue.h"
#include "runtime/windowing/time_window.h"
#include "state/keyed_state_backend.h"
#include "state/keyed_state_header.h"
#include "tests/state/backend_rig.h"

// The bytes of a snapshot of state in memory, as docs/formats describes them.

namespace wiesel::state {
namespace {

using testing::BackendKind;
using testing::BackendRig;
using ::testing::ElementsAre;

constexpr VoidNamespace kVoid;

KeyedStateHeader headerOf(const std::string& stream, size_t* length) {
  DataInput input(stream);
  KeyedStateHeader header = KeyedStateHeader::read(input);
  EXPECT_TRUE(input.ok()) << input.error();
  *length = input.position();
  return header;
}

TEST(HeapSnapshotTest, HasEveryKeyGroupOfTheRangeInOrder) {
  BackendRig rig(BackendKind::kHeap, 128);
  auto backend = rig.make<int32_t>({24, 31});
  backend->setCurrentKey(42);  // Key group 29.
  backend->valueCell<VoidNamespace, int64_t>("v").put(kVoid, 7);
  backend->mapCell<TimeWindow, int32_t, bool>("m").put({1, 2}, 3, true);
  runtime::TimerQueue<int32_t, VoidNamespace> timers("t", *backend);
  timers.add({-1, 42, {}});
  const KeyedSnapshot snapshot = backend->snapshot(1);

  size_t header_length = 0;
  const KeyedStateHeader header = headerOf(snapshot.stream, &header_length);
  EXPECT_EQ(header.key_serializer, SerializerSnapshot::int32());
  ASSERT_EQ(header.states.size(), 3u);
  EXPECT_EQ(header.states[0].name, "v");
  EXPECT_EQ(header.states[1].kind, StateKind::kMap);
  EXPECT_EQ(header.states[2].kind, StateKind::kTimers);

  DataOutput expected;
  std::vector<int64_t> offsets;
  for (int key_group = 24; key_group <= 31; ++key_group) {
    offsets.push_back(static_cast<int64_t>(header_length + expected.size()));
    expected.writeInt(key_group);
    const int32_t entries = key_group == 29 ? 1 : 0;
    expected.writeShort(0);
    expected.writeInt(entries);
    if (entries > 0) {
      expected.writeByte(0);  // Namespace, key, value.
      expected.writeInt(42);
      expected.writeLong(7);
    }
    expected.writeShort(1);
    expected.writeInt(entries);
    if (entries > 0) {
      expected.writeLong(1);
      expected.writeLong(2);
      expected.writeInt(42);
      expected.writeInt(1);  // Entries of the map.
      expected.writeInt(3);
      expected.writeBool(false);
      expected.writeBool(true);
    }
    expected.writeShort(2);
    expected.writeInt(entries);
    if (entries > 0) {
      expected.writeLong(INT64_MAX);  // -1 with its sign bit flipped.
      expected.writeInt(42);
      expected.writeByte(0);
    }
  }
  EXPECT_EQ(snapshot.range, (KeyGroupRange{24, 31}));
  EXPECT_EQ(snapshot.offsets, offsets);
  EXPECT_EQ(snapshot.stream.substr(header_length), expected.view());
  EXPECT_TRUE(snapshot.directory.empty());
}

TEST(HeapSnapshotTest, HeaderComesBackAsItWas) {
  KeyedStateHeader header;
  header.key_serializer = SerializerSnapshot::string();
  for (StateKind kind : {StateKind::kValue, StateKind::kList, StateKind::kMap, StateKind::kReducing,
                         StateKind::kAggregating}) {
    header.states.push_back({std::string(stateTypeName(kind)), kind,
                             SerializerSnapshot::timeWindow(),
                             SerializerSnapshot::list(SerializerSnapshot::int64())});
  }
  header.states.push_back(
      {"t",
       StateKind::kTimers,
       {},
       SerializerSnapshot::timer(SerializerSnapshot::string(), SerializerSnapshot::timeWindow())});
  DataOutput output;
  header.write(output);
  size_t length = 0;
  const KeyedStateHeader read = headerOf(std::string(output.view()), &length);
  EXPECT_EQ(length, output.size());
  EXPECT_EQ(read.key_serializer, header.key_serializer);
  ASSERT_EQ(read.states.size(), header.states.size());
  for (size_t i = 0; i < read.states.size(); ++i) {
    EXPECT_EQ(read.states[i].name, header.states[i].name);
    EXPECT_EQ(read.states[i].kind, header.states[i].kind);
    EXPECT_EQ(read.states[i].namespace_serializer, header.states[i].namespace_serializer);
    EXPECT_EQ(read.states[i].value_serializer, header.states[i].value_serializer);
  }
}

/// A stream whose key groups hold the states in another order than the header, as Flink's may.
TEST(HeapSnapshotTest, RestoresStatesInAnyOrder) {
  KeyedStateHeader header;
  header.key_serializer = SerializerSnapshot::int32();
  const SerializerSnapshot no_namespace = SerializerSnapshot::voidNamespace();
  header.states = {{"a", StateKind::kValue, no_namespace, SerializerSnapshot::int64()},
                   {"b", StateKind::kValue, no_namespace, SerializerSnapshot::string()}};
  DataOutput output;
  header.write(output);
  KeyedSnapshot snapshot;
  snapshot.range = {29, 29};
  snapshot.offsets = {static_cast<int64_t>(output.size())};
  output.writeInt(29);
  output.writeShort(1);
  output.writeInt(1);
  output.writeByte(0);
  output.writeInt(42);
  Serializer<std::string>::write("text", output);
  output.writeShort(0);
  output.writeInt(1);
  output.writeByte(0);
  output.writeInt(42);
  output.writeLong(7);
  snapshot.stream = output.take();

  BackendRig rig(BackendKind::kHeap, 128);
  auto backend = rig.makeWhole<int32_t>({snapshot});
  backend->setCurrentKey(42);
  EXPECT_EQ(*(backend->valueCell<VoidNamespace, int64_t>("a").find(kVoid)), 7);
  EXPECT_EQ(*(backend->valueCell<VoidNamespace, std::string>("b").find(kVoid)), "text");
}

TEST(HeapSnapshotTest, RefusesOffsetsThatDoNotFit) {
  BackendRig rig(BackendKind::kHeap, 128);
  auto stored = rig.makeWhole<int32_t>();
  stored->valueCell<VoidNamespace, int64_t>("v");
  const KeyedSnapshot whole = stored->snapshot(1);
  KeyedSnapshot few = whole;
  few.offsets.pop_back();
  EXPECT_THROW(rig.makeWhole<int32_t>({few}), StateError);
  KeyedSnapshot shifted = whole;
  std::rotate(shifted.offsets.begin(), shifted.offsets.begin() + 1, shifted.offsets.end());
  EXPECT_THROW(rig.makeWhole<int32_t>({shifted}), StateError);
  KeyedSnapshot beyond = whole;
  beyond.offsets[5] = static_cast<int64_t>(whole.stream.size()) + 1;
  EXPECT_THROW(rig.makeWhole<int32_t>({beyond}), StateError);
}

}  // namespace
}  // namespace wiesel::state
