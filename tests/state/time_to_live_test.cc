#include "state/time_to_live.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/windowing/time_window.h"
#include "state/aggregating_state.h"
#include "state/keyed_state_store.h"
#include "state/list_state.h"
#include "state/map_state.h"
#include "state/reducing_state.h"
#include "state/value_state.h"
#include "tests/state/backend_rig.h"

namespace wiesel::state {
namespace {

using std::chrono::milliseconds;
using testing::BackendKind;
using testing::BackendRig;
using Backend = TypedKeyedStateBackend<std::string>;
using Numbers = std::vector<int32_t>;

constexpr int64_t kStartMs = 1000;

StateTtlConfig tenMs() { return StateTtlConfig::newBuilder(milliseconds(10)).build(); }
StateTtlConfig tenMsAfterReads() {
  return StateTtlConfig::newBuilder(milliseconds(10)).updateTtlOnReadAndWrite().build();
}
StateTtlConfig tenMsShownOnce() {
  return StateTtlConfig::newBuilder(milliseconds(10)).returnExpiredIfNotCleanedUp().build();
}

int32_t add(int32_t left, int32_t right) { return left + right; }

class TimeToLiveTest : public ::testing::TestWithParam<BackendKind> {
 protected:
  TimeToLiveTest() { begin({}); }

  /// A fresh backend with what the snapshots hold; "a" is the current key.
  void begin(const std::vector<KeyedSnapshot>& snapshots) {
    KeyedBackendSetup setup = rig_.setUp(rig_.wholeRange(), snapshots);
    setup.now_ms = [this] { return now_ms_; };
    backend_ = makeKeyedStateBackend<std::string>(std::move(setup));
    backend_->setCurrentKey("a");
  }

  template <class Descriptor>
  auto& open(Descriptor descriptor, const StateTtlConfig& config) {
    descriptor.enableTimeToLive(config);
    return descriptor.time_to_live.open(*backend_, descriptor.name, config);
  }
  ValueState<int32_t> value(const StateTtlConfig& config) {
    return ValueState<int32_t>(open(ValueStateDescriptor<int32_t>{"value"}, config));
  }
  ListState<int32_t> list(const StateTtlConfig& config) {
    return ListState<int32_t>(open(ListStateDescriptor<int32_t>{"list"}, config));
  }
  MapState<std::string, int32_t> map(const StateTtlConfig& config) {
    return MapState<std::string, int32_t>(
        open(MapStateDescriptor<std::string, int32_t>{"map"}, config));
  }

  BackendRig rig_{GetParam(), 8};
  int64_t now_ms_ = kStartMs;
  std::unique_ptr<Backend> backend_;
};

INSTANTIATE_TEST_SUITE_P(Backends, TimeToLiveTest,
                         ::testing::Values(BackendKind::kHeap, BackendKind::kRocksDb),
                         ::testing::PrintToStringParamName());

TEST_P(TimeToLiveTest, ValueExpiresWhenItsTimeHasPassed) {
  auto state = value(tenMs());
  state.update(7);
  now_ms_ = kStartMs + 9;
  EXPECT_EQ(state.value(), 7);
  now_ms_ = kStartMs + 10;
  EXPECT_EQ(state.value(), std::nullopt);
  now_ms_ = kStartMs;
  EXPECT_EQ(state.value(), std::nullopt) << "the read has removed it";
}

TEST_P(TimeToLiveTest, ReadsProlongWhenTheyCount) {
  auto state = value(tenMsAfterReads());
  state.update(7);
  for (now_ms_ = kStartMs; now_ms_ < kStartMs + 50; now_ms_ += 9) EXPECT_EQ(state.value(), 7);
  now_ms_ += 10;
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST_P(TimeToLiveTest, ExpiredValueIsShownOnce) {
  auto state = value(tenMsShownOnce());
  state.update(7);
  now_ms_ = kStartMs + 100;
  EXPECT_EQ(state.value(), 7);
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST_P(TimeToLiveTest, AValueInPlaceStartsAnewOnceItHasExpired) {
  auto state = value(tenMs());
  ++state.getOrInsert(5);
  now_ms_ = kStartMs + 9;
  EXPECT_EQ(++state.getOrInsert(5), 7);
  now_ms_ = kStartMs + 18;
  EXPECT_EQ(state.getOrInsert(5), 7) << "the use before was a write";
  now_ms_ = kStartMs + 28;
  EXPECT_EQ(state.getOrInsert(5), 5);
}

TEST_P(TimeToLiveTest, ElementsExpireOneByOne) {
  auto state = list(tenMs());
  state.add(1);
  now_ms_ = kStartMs + 5;
  state.addAll({2, 3});
  now_ms_ = kStartMs + 10;
  EXPECT_EQ(state.get(), (Numbers{2, 3}));
  now_ms_ = kStartMs + 15;
  EXPECT_EQ(state.get(), Numbers{});
}

TEST_P(TimeToLiveTest, EntriesExpireOneByOne) {
  auto state = map(tenMs());
  state.put("x", 1);
  now_ms_ = kStartMs + 5;
  state.putAll({{"y", 2}});
  now_ms_ = kStartMs + 10;
  EXPECT_EQ(state.keys(), std::vector<std::string>{"y"});
  EXPECT_EQ(state.get("x"), std::nullopt);
  EXPECT_TRUE(state.contains("y"));
  now_ms_ = kStartMs + 15;
  EXPECT_FALSE(state.isEmpty()) << "nobody has read the expired entry yet";
  EXPECT_FALSE(state.contains("y"));
  EXPECT_TRUE(state.isEmpty());
}

TEST_P(TimeToLiveTest, ValueThatWasReducedStartsAnew) {
  ReducingStateDescriptor<int32_t> descriptor("sum", add);
  ReducingState<int32_t> state(open(descriptor, tenMs()), descriptor.reduce);
  state.add(1);
  state.add(2);
  EXPECT_EQ(state.get(), 3);
  now_ms_ = kStartMs + 10;
  state.add(4);
  EXPECT_EQ(state.get(), 4);
}

TEST_P(TimeToLiveTest, StateOfAKeyThatWindowsShareExpires) {
  KeyedStateStore<VoidNamespace> store(*backend_);
  ValueStateDescriptor<int32_t> value{"value"};
  value.enableTimeToLive(tenMs());
  ListStateDescriptor<int32_t> list{"list"};
  list.enableTimeToLive(tenMs());
  MapStateDescriptor<std::string, int32_t> map{"map"};
  map.enableTimeToLive(tenMs());
  ReducingStateDescriptor<int32_t> sum("sum", add);
  sum.enableTimeToLive(tenMs());
  store.getState(value).update(7);
  store.getListState(list).add(1);
  store.getMapState(map).put("x", 2);
  store.getReducingState(sum).add(3);
  now_ms_ = kStartMs + 9;
  EXPECT_EQ(store.getState(value).value(), 7);
  now_ms_ = kStartMs + 10;
  EXPECT_EQ(store.getState(value).value(), std::nullopt);
  EXPECT_EQ(store.getListState(list).get(), Numbers{});
  EXPECT_EQ(store.getMapState(map).get("x"), std::nullopt);
  EXPECT_EQ(store.getReducingState(sum).get(), std::nullopt);
  EXPECT_THROW(store.getState(ValueStateDescriptor<int32_t>{"value"}), StateError)
      << "with a time to live and without";
}

TEST_P(TimeToLiveTest, StateOfAWindowRefusesIt) {
  KeyedStateStore<TimeWindow> store(*backend_);
  ValueStateDescriptor<int32_t> value{"value"};
  value.enableTimeToLive(tenMs());
  try {
    store.getState(value);
    FAIL() << "nothing was thrown";
  } catch (const StateError& error) {
    EXPECT_STREQ(error.what(),
                 "state 'value' has a time to live, which a window's state cannot have: leave "
                 "enableTimeToLive() out");
  }
}

TEST_P(TimeToLiveTest, LivesOnInASnapshot) {
  value(tenMs()).update(7);
  const KeyedSnapshot snapshot = backend_->snapshot(1);
  now_ms_ = kStartMs + 9;
  begin({snapshot});
  auto state = value(tenMs());
  EXPECT_EQ(state.value(), 7);
  now_ms_ = kStartMs + 10;
  EXPECT_EQ(state.value(), std::nullopt);
}

TEST_P(TimeToLiveTest, SnapshotThatNobodyClaimsGoesOn) {
  value(tenMs()).update(7);
  list(tenMs()).addAll({1, 2});
  map(tenMs()).put("x", 3);
  begin({backend_->snapshot(1)});
  begin({backend_->snapshot(2)});
  EXPECT_EQ(value(tenMs()).value(), 7);
  EXPECT_EQ(list(tenMs()).get(), (Numbers{1, 2}));
  EXPECT_EQ(map(tenMs()).get("x"), 3);
}

TEST_P(TimeToLiveTest, StateWithoutItsTimesIsRefused) {
  value(tenMs()).update(7);
  const KeyedSnapshot snapshot = backend_->snapshot(1);
  begin({snapshot});
  try {
    backend_->valueCell<VoidNamespace, int32_t>("value");
    FAIL() << "nothing was thrown";
  } catch (const StateError& error) {
    EXPECT_STREQ(
        error.what(),
        "state 'value' was stored as VALUE of TtlValue<Long,Integer>, the program declares "
        "VALUE of Integer");
  }
}

TEST(TtlRulesTest, ATimeBeyondTheEndNeverComes) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  const TtlRules rules(StateTtlConfig::newBuilder(milliseconds(kEnd)).build(), {});
  EXPECT_FALSE(rules.isExpired(5, kEnd - 1));
  EXPECT_FALSE(rules.isExpired(0, kEnd - 1));
}

TEST(StateTtlConfigTest, RefusesATimeThatIsNotPositive) {
  EXPECT_THROW(StateTtlConfig::newBuilder(milliseconds(0)), std::invalid_argument);
}

// Flink's TtlSerializer: when it was used, then the value, and its snapshot's class and version.
TEST(TtlValueTest, IsStoredAsFlinkStoresIt) {
  DataOutput output;
  Serializer<TtlValue<int32_t>>::write({0x0102030405060708, 9}, output);
  EXPECT_EQ(output.view(), std::string_view("\x01\x02\x03\x04\x05\x06\x07\x08\0\0\0\x09", 12));
  const SerializerSnapshot snapshot = Serializer<TtlValue<int32_t>>::snapshot();
  EXPECT_EQ(snapshot.class_name,
            "org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot");
  EXPECT_EQ(snapshot.outer_version, 2);
  EXPECT_EQ(snapshot.nested,
            (std::vector{SerializerSnapshot::int64(), SerializerSnapshot::int32()}));
}

}  // namespace
}  // namespace wiesel::state
