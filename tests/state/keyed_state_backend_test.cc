#include "state/keyed_state_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/serialization/chrono_serializer.h"
#include "runtime/time/timer_queue.h"
#include "runtime/windowing/time_window.h"
#include "state/list_state.h"
#include "state/map_state.h"
#include "state/value_state.h"
#include "tests/state/backend_rig.h"

namespace wiesel::state {
namespace {

using testing::BackendKind;
using testing::BackendRig;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr int kMaxParallelism = 128;
constexpr VoidNamespace kVoid;

std::string errorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const StateError& error) {
    return error.what();
  }
  return "no StateError";
}

/// What both backends do alike.
class KeyedStateBackendTest : public ::testing::TestWithParam<BackendKind> {
 protected:
  template <class K>
  auto make() {
    return rig_.makeWhole<K>();
  }
  template <class K>
  auto restore(TypedKeyedStateBackend<K>& from) {
    return rig_.makeWhole<K>({from.snapshot(++checkpoint_id_)});
  }

  BackendRig rig_{GetParam(), kMaxParallelism};
  int64_t checkpoint_id_ = 0;
};

INSTANTIATE_TEST_SUITE_P(On, KeyedStateBackendTest,
                         ::testing::Values(BackendKind::kHeap, BackendKind::kRocksDb),
                         [](const auto& info) { return testing::backendName(info.param); });

TEST_P(KeyedStateBackendTest, NamesTheKeysThatHaveSomethingInAState) {
  for (const int max_parallelism : {128, 1000}) {  // A key group takes one byte or two.
    BackendRig rig(GetParam(), max_parallelism);
    auto backend = rig.makeWhole<std::string>();
    ValueState<int64_t> count(backend->valueCell<VoidNamespace, int64_t>("count"));
    MapState<int64_t, int64_t> entries(backend->mapCell<VoidNamespace, int64_t, int64_t>("map"));
    EXPECT_THAT(backend->keysOf("count"), ElementsAre());
    for (const std::string key : {"anna", "", "bert", "a"}) {
      backend->setCurrentKey(key);
      count.update(1);
    }
    count.clear();
    backend->setCurrentKey("map only");
    entries.put(1, 1);
    entries.put(2, 2);
    EXPECT_THAT(backend->keysOf("count"), UnorderedElementsAre("anna", "", "bert"));
    EXPECT_THAT(backend->keysOf("map"), ElementsAre("map only"));

    auto restored = rig.makeWhole<std::string>({backend->snapshot(1)});
    restored->valueCell<VoidNamespace, int64_t>("count");
    EXPECT_THAT(restored->keysOf("count"), UnorderedElementsAre("anna", "", "bert"));
    EXPECT_THAT(restored->keysOf("nothing"), ElementsAre());
  }
}

TEST_P(KeyedStateBackendTest, HasNoKeyAfterItWasCleared) {
  auto backend = make<std::string>();
  ValueState<int64_t> count(backend->valueCell<VoidNamespace, int64_t>("count"));
  backend->setCurrentKey("anna");
  count.update(1);
  backend->clearCurrentKey();
  EXPECT_THAT(errorOf([&] { count.update(2); }), HasSubstr("there is no current key"));
  backend->setCurrentKey("anna");
  EXPECT_EQ(count.value(), 1);
}

TEST_P(KeyedStateBackendTest, ChangesTheValuesOfAMapInPlace) {
  auto backend = make<std::string>();
  auto& cell = backend->mapCell<VoidNamespace, int64_t, std::vector<int64_t>>("map");
  backend->setCurrentKey("anna");
  for (const int64_t value : {7, 8}) {
    cell.update(kVoid, 1, [value](std::vector<int64_t>& values) { values.push_back(value); });
  }
  ASSERT_NE(cell.find(kVoid, 1), nullptr);
  EXPECT_THAT(*cell.find(kVoid, 1), ElementsAre(7, 8));
  EXPECT_EQ(cell.find(kVoid, 2), nullptr);
}

TEST_P(KeyedStateBackendTest, GivesUsersWhatTheyStored) {
  auto backend = make<std::string>();
  ValueState<int64_t> count(backend->valueCell<VoidNamespace, int64_t>("count"));
  ListState<std::string> words(backend->listCell<VoidNamespace, std::string>("words"));
  MapState<std::string, double> prices(backend->mapCell<VoidNamespace, std::string, double>("p"));
  backend->setCurrentKey("anna");
  EXPECT_EQ(count.value(), std::nullopt);
  EXPECT_THAT(words.get(), ElementsAre());
  EXPECT_TRUE(prices.isEmpty());
  count.update(3);
  count.getOrInsert() += 4;
  words.add("a");
  words.add("b,c");
  prices.put("x", 1.5);
  backend->setCurrentKey("bert");
  EXPECT_EQ(count.value(), std::nullopt);
  words.update({"z"});
  backend->setCurrentKey("anna");
  EXPECT_EQ(count.value(), 7);
  EXPECT_THAT(words.get(), ElementsAre("a", "b,c"));
  EXPECT_EQ(prices.get("x"), 1.5);
  EXPECT_FALSE(prices.contains("y"));
  words.update({});
  EXPECT_THAT(words.get(), ElementsAre());
}

TEST_P(KeyedStateBackendTest, NeedsACurrentKey) {
  auto backend = make<int64_t>();
  auto& value = backend->valueCell<VoidNamespace, int64_t>("value");
  auto& list = backend->listCell<VoidNamespace, int64_t>("list");
  auto& map = backend->mapCell<VoidNamespace, int64_t, int64_t>("map");
  EXPECT_THAT(errorOf([&] { value.put(kVoid, 1); }), HasSubstr("no current key"));
  EXPECT_THAT(errorOf([&] { value.find(kVoid); }), HasSubstr("no current key"));
  EXPECT_THAT(errorOf([&] { list.add(kVoid, 1); }), HasSubstr("no current key"));
  EXPECT_THAT(errorOf([&] { map.put(kVoid, 1, 1); }), HasSubstr("no current key"));
}

TEST_P(KeyedStateBackendTest, RefusesAStateThatIsDeclaredTwiceWithOtherTypes) {
  auto backend = make<int64_t>();
  auto& cell = backend->valueCell<VoidNamespace, int64_t>("s");
  EXPECT_EQ((&backend->valueCell<VoidNamespace, int64_t>("s")), &cell);
  const std::string both =
      "state 's' is declared twice with different types, as VALUE of Long and as ";
  EXPECT_EQ(errorOf([&] { backend->valueCell<VoidNamespace, std::string>("s"); }),
            both + "VALUE of String");
  EXPECT_EQ(errorOf([&] { backend->listCell<VoidNamespace, int64_t>("s"); }),
            both + "LIST of List<Long>");
  EXPECT_EQ(errorOf([&] { backend->valueCell<VoidNamespace, int64_t>("s", StateKind::kReducing); }),
            both + "REDUCING of Long");
  EXPECT_THAT(errorOf([&] { backend->valueCell<TimeWindow, int64_t>("s"); }),
              HasSubstr("declared twice"));
  EXPECT_THAT(errorOf([&] { backend->valueCell<VoidNamespace, long long>("s"); }),
              HasSubstr("different C++ types"));
  EXPECT_THAT(errorOf([&] { runtime::TimerQueue<int64_t, TimeWindow>("s", *backend); }),
              HasSubstr("declared twice"));
}

TEST_P(KeyedStateBackendTest, RefusesStateThatWasStoredWithOtherTypes) {
  auto stored = make<int64_t>();
  stored->setCurrentKey(1);
  stored->valueCell<VoidNamespace, int64_t>("s").put(kVoid, 5);
  stored->valueCell<TimeWindow, int64_t>("w").put({0, 1}, 5);
  auto backend = restore(*stored);
  EXPECT_EQ(errorOf([&] { backend->valueCell<VoidNamespace, std::string>("s"); }),
            "state 's' was stored as VALUE of Long, the program declares VALUE of String");
  EXPECT_EQ(errorOf([&] { backend->mapCell<VoidNamespace, int64_t, bool>("s"); }),
            "state 's' was stored as VALUE of Long, the program declares MAP of Map<Long,Boolean>");
  EXPECT_EQ(errorOf([&] { runtime::TimerQueue<int64_t, TimeWindow>("s", *backend); }),
            "state 's' was stored as VALUE of Long, the program declares TIMERS of "
            "Timer<Long,TimeWindow>");
  EXPECT_EQ(errorOf([&] { backend->valueCell<VoidNamespace, int64_t>("w"); }),
            "state 'w' was stored with namespaces of type TimeWindow, the program declares "
            "VoidNamespace");
  // A refused declaration does no harm: the state is still there, also in the next snapshot.
  auto again = restore(*backend);
  again->setCurrentKey(1);
  EXPECT_EQ(*(again->valueCell<VoidNamespace, int64_t>("s").find(kVoid)), 5);
}

TEST_P(KeyedStateBackendTest, RefusesStateWithOtherKeys) {
  auto stored = make<int64_t>();
  stored->setCurrentKey(1);
  stored->valueCell<VoidNamespace, int64_t>("s").put(kVoid, 5);
  const KeyedSnapshot snapshot = stored->snapshot(1);
  EXPECT_EQ(errorOf([&] { rig_.makeWhole<std::string>({snapshot}); }),
            "the restored state has keys of type Long, the program's keys are of type String");
}

TEST_P(KeyedStateBackendTest, KeepsWhatNobodyDeclares) {
  auto stored = make<std::string>();
  stored->setCurrentKey("a");
  stored->mapCell<VoidNamespace, std::string, std::optional<int64_t>>("m").put(kVoid, "x", {});
  stored->listCell<VoidNamespace, std::string>("l").add(kVoid, "y");
  {
    runtime::TimerQueue<std::string, VoidNamespace> timers("t", *stored);
    timers.add({5, "a", {}});
    stored = restore(*stored);  // With the queue alive, whose entries go into the snapshot.
  }
  stored->setCurrentKey("b");
  stored->valueCell<VoidNamespace, bool>("new").put(kVoid, true);
  auto backend = restore(*stored);
  backend->setCurrentKey("a");
  auto& map = backend->mapCell<VoidNamespace, std::string, std::optional<int64_t>>("m");
  ASSERT_NE(map.find(kVoid, "x"), nullptr);
  EXPECT_EQ(*map.find(kVoid, "x"), std::nullopt);
  EXPECT_THAT(*(backend->listCell<VoidNamespace, std::string>("l").find(kVoid)), ElementsAre("y"));
  runtime::TimerQueue<std::string, VoidNamespace> timers("t", *backend);
  EXPECT_EQ(timers.earliest().timestamp_ms, 5);
  EXPECT_EQ((backend->valueCell<VoidNamespace, bool>("new").find(kVoid)), nullptr);
}

TEST_P(KeyedStateBackendTest, MayDeclareAStateWhileThereIsACurrentKey) {
  auto stored = make<int64_t>();
  for (int64_t key = 0; key < 100; ++key) {
    stored->setCurrentKey(key);
    stored->valueCell<VoidNamespace, int64_t>("s").put(kVoid, key);
  }
  auto backend = restore(*stored);
  backend->setCurrentKey(1000);
  auto& cell = backend->valueCell<VoidNamespace, int64_t>("s");
  EXPECT_EQ(cell.find(kVoid), nullptr);
  EXPECT_EQ(backend->currentKey(), 1000);
  for (int64_t key = 0; key < 100; ++key) {
    backend->setCurrentKey(key);
    ASSERT_NE(cell.find(kVoid), nullptr);
    EXPECT_EQ(*cell.find(kVoid), key);
  }
}

TEST_P(KeyedStateBackendTest, ForgetsAKeyWithItsLastStateButNotTheCurrentKey) {
  auto backend = make<std::string>();
  auto& value = backend->valueCell<VoidNamespace, int64_t>("v");
  auto& list = backend->listCell<VoidNamespace, int64_t>("l");
  backend->setCurrentKey("a");
  value.put(kVoid, 1);
  value.clear(kVoid);  // The current key has no state now.
  EXPECT_EQ(backend->currentKey(), "a");
  list.add(kVoid, 2);
  backend->setCurrentKey("b");
  backend->setCurrentKey("c");
  value.put(kVoid, 3);
  backend->setCurrentKey("a");
  EXPECT_EQ(value.find(kVoid), nullptr);
  EXPECT_THAT(*list.find(kVoid), ElementsAre(2));
  list.clear(kVoid);
  backend->setCurrentKey("c");
  backend->setCurrentKey("a");
  EXPECT_EQ(list.find(kVoid), nullptr);
  value.put(kVoid, 4);
  EXPECT_EQ(*value.find(kVoid), 4);
  backend->setCurrentKey("c");
  EXPECT_EQ(*value.find(kVoid), 3);
}

TEST_P(KeyedStateBackendTest, ComparesKeysAsJavaDoes) {
  auto backend = make<double>();
  auto& value = backend->valueCell<VoidNamespace, int64_t>("v");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  backend->setCurrentKey(nan);
  value.put(kVoid, 1);
  backend->setCurrentKey(0.0);
  value.put(kVoid, 2);
  backend->setCurrentKey(-0.0);
  EXPECT_EQ(value.find(kVoid), nullptr);
  value.put(kVoid, 3);
  backend->setCurrentKey(-nan);
  ASSERT_NE(value.find(kVoid), nullptr);
  EXPECT_EQ(*value.find(kVoid), 1);
  backend->setCurrentKey(0.0);
  EXPECT_EQ(*value.find(kVoid), 2);

  runtime::TimerQueue<double, VoidNamespace> timers("t", *backend);
  timers.add({1, nan, {}});
  timers.add({1, -nan, {}});
  timers.remove({1, nan, {}});
  EXPECT_TRUE(timers.empty());
}

TEST_P(KeyedStateBackendTest, TakesKeysOfAllKinds) {
  auto of_bool = make<bool>();
  auto& flags = of_bool->listCell<VoidNamespace, bool>("v");
  for (bool key : {true, false, true}) {
    of_bool->setCurrentKey(key);
    flags.add(kVoid, key);
  }
  EXPECT_THAT(*flags.find(kVoid), ElementsAre(true, true));

  using std::chrono::milliseconds;
  auto of_time = make<milliseconds>();
  auto& times = of_time->valueCell<VoidNamespace, milliseconds>("v");
  of_time->setCurrentKey(milliseconds(5));
  times.put(kVoid, milliseconds(6));
  of_time = restore(*of_time);
  of_time->setCurrentKey(milliseconds(5));
  EXPECT_EQ(*(of_time->valueCell<VoidNamespace, milliseconds>("v").find(kVoid)), milliseconds(6));
}

/// A key whose hash code changes under it, as that of a badly specialized Serializer may.
struct Fickle {
  int64_t id = 0;
  static inline int32_t hash = 0;
  bool operator==(const Fickle&) const = default;
};

}  // namespace
}  // namespace wiesel::state

template <>
struct wiesel::Serializer<wiesel::state::Fickle> {
  using Fickle = wiesel::state::Fickle;
  static constexpr int kFixedLength = 8;
  static void write(const Fickle& key, DataOutput& output) { output.writeLong(key.id); }
  static void read(Fickle& key, DataInput& input) { key.id = input.readLong(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::wieselType("Fickle"); }
  static int32_t hashCode(const Fickle&) { return Fickle::hash; }
};

namespace wiesel::state {
namespace {

TEST_P(KeyedStateBackendTest, RefusesAKeyOfAnotherSubtask) {
  Fickle::hash = 42;  // Key group 29.
  auto backend = rig_.make<Fickle>({0, 63});
  backend->setCurrentKey({1});
  Fickle::hash = 0;
  const std::string error = errorOf([&] { backend->setCurrentKey({2}); });
  EXPECT_THAT(error, HasSubstr("is at a subtask with key groups 0 to 63"));
  EXPECT_THAT(error, HasSubstr("hashCode"));
}

TEST_P(KeyedStateBackendTest, SaysWhatIsWrongWithDamagedState) {
  auto stored = make<std::string>();
  stored->setCurrentKey("a");
  stored->valueCell<VoidNamespace, std::string>("v").put(kVoid, "value");
  const KeyedSnapshot snapshot = stored->snapshot(1);
  for (size_t size = 0; size < snapshot.stream.size(); ++size) {
    KeyedSnapshot damaged = snapshot;
    damaged.stream.resize(size);
    EXPECT_THAT(errorOf([&] {
                  auto backend = rig_.makeWhole<std::string>({damaged});
                  backend->valueCell<VoidNamespace, std::string>("v");
                }),
                HasSubstr("restored keyed state"))
        << "the first " << size << " bytes";
  }
}

TEST_P(KeyedStateBackendTest, IsEmptyAfterRestoringOtherKeyGroups) {
  auto stored = rig_.make<int64_t>({0, kMaxParallelism - 1});
  for (int64_t key = 0; key < 50; ++key) {
    stored->setCurrentKey(key);
    stored->valueCell<VoidNamespace, int64_t>("v").put(kVoid, key);
  }
  const std::vector<KeyedSnapshot> whole = {stored->snapshot(1)};
  int found = 0;
  for (KeyGroupRange range : {KeyGroupRange{0, 10}, {11, 11}, {12, 127}}) {
    auto part = rig_.make<int64_t>(range, whole);
    auto& value = part->valueCell<VoidNamespace, int64_t>("v");
    for (int64_t key = 0; key < 50; ++key) {
      const int key_group = keyGroupFor(Serializer<int64_t>::hashCode(key), kMaxParallelism);
      if (!range.contains(key_group)) continue;
      part->setCurrentKey(key);
      ASSERT_NE(value.find(kVoid), nullptr);
      EXPECT_EQ(*value.find(kVoid), key);
      ++found;
    }
    // What was not ours is not in the next snapshot either.
    auto rest = rig_.make<int64_t>(rig_.wholeRange(), {part->snapshot(2)});
    auto& rest_value = rest->valueCell<VoidNamespace, int64_t>("v");
    for (int64_t key = 0; key < 50; ++key) {
      const int key_group = keyGroupFor(Serializer<int64_t>::hashCode(key), kMaxParallelism);
      rest->setCurrentKey(key);
      EXPECT_EQ(rest_value.find(kVoid) != nullptr, range.contains(key_group));
    }
  }
  EXPECT_EQ(found, 50);
}

}  // namespace
}  // namespace wiesel::state
