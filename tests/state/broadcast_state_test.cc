#include "state/broadcast_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/metadata/metadata_reader.h"
#include "state/operator_state_store.h"
#include "tests/conformance/data_directory.h"
#include "tests/support/status_matchers.h"

namespace wiesel::state {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const MapStateDescriptor<std::string, int64_t> kRules{"rules"};
const ListStateDescriptor<int64_t> kOffsets{"offsets"};

template <class K, class V>
std::map<K, V> entriesOf(const ReadOnlyBroadcastState<K, V>& state) {
  std::map<K, V> entries;
  state.forEach([&entries](const K& key, const V& value) { entries.emplace(key, value); });
  return entries;
}

std::string errorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const StateError& error) {
    return error.what();
  }
  return "no StateError";
}

OperatorStateSnapshot sample() {
  OperatorStateStore store;
  auto& rules = store.getBroadcastState(kRules);
  rules.put("a", 1);
  rules.put("", -2);
  store.getListState(kOffsets).update({5, 6});
  return store.snapshot();
}

TEST(BroadcastStateTest, IsAMap) {
  BroadcastState<std::string, int64_t> rules;
  EXPECT_TRUE(rules.isEmpty());
  EXPECT_EQ(rules.get("a"), std::nullopt);
  rules.put("a", 1);
  rules.put("a", 2);
  rules.put("b", 3);
  EXPECT_EQ(rules.get("a"), 2);
  EXPECT_TRUE(rules.contains("b"));
  rules.remove("b");
  rules.remove("c");
  EXPECT_THAT(entriesOf(rules), UnorderedElementsAre(Pair("a", 2)));
  rules.clear();
  EXPECT_FALSE(rules.contains("a"));
  EXPECT_THAT(entriesOf(rules), IsEmpty());
}

TEST(BroadcastStateTest, ComesBackBesideLists) {
  OperatorStateStore store;
  store.addRestored(sample());
  EXPECT_THAT(entriesOf(store.getBroadcastState(kRules)),
              UnorderedElementsAre(Pair("a", 1), Pair("", -2)));
  EXPECT_THAT(store.getListState(kOffsets).get(), ::testing::ElementsAre(5, 6));
}

TEST(BroadcastStateTest, IsStoredWholeInOnePieceEvenWhenEmpty) {
  OperatorStateStore store;
  store.getBroadcastState(kRules);
  const OperatorStateSnapshot snapshot = store.snapshot();
  ASSERT_EQ(snapshot.states.size(), 1u);
  EXPECT_EQ(snapshot.states[0].mode, DistributionMode::kBroadcast);
  EXPECT_EQ(snapshot.states[0].offsets.size(), 1u);
  EXPECT_EQ(snapshot.stream.substr(snapshot.states[0].offsets[0]), std::string(4, '\0'));
}

TEST(BroadcastStateTest, StaysWhenNobodyDeclaresIt) {
  OperatorStateStore first;
  first.addRestored(sample());
  OperatorStateStore second;
  second.addRestored(first.snapshot());
  EXPECT_THAT(entriesOf(second.getBroadcastState(kRules)),
              UnorderedElementsAre(Pair("a", 1), Pair("", -2)));
}

TEST(BroadcastStateTest, RefusesOtherTypesThanStored) {
  OperatorStateStore store;
  store.addRestored(sample());
  EXPECT_EQ(
      errorOf([&] { store.getBroadcastState(MapStateDescriptor<std::string, bool>{"rules"}); }),
      "operator state 'rules' was stored as BROADCAST map of String to Long, the program declares "
      "BROADCAST map of String to Boolean");
  EXPECT_THAT(errorOf([&] { store.getListState(ListStateDescriptor<int64_t>{"rules"}); }),
              HasSubstr("the program declares SPLIT_DISTRIBUTE list of Long"));
  EXPECT_THAT(errorOf([&] {
                store.getBroadcastState(MapStateDescriptor<std::string, int64_t>{"offsets"});
              }),
              HasSubstr("was stored as SPLIT_DISTRIBUTE list of Long"));
}

TEST(BroadcastStateTest, SaysWhatIsWrongWithDamagedBytes) {
  const OperatorStateSnapshot whole = sample();
  for (size_t size = 0; size < whole.stream.size(); ++size) {
    OperatorStateSnapshot damaged = whole;
    damaged.stream.resize(size);
    EXPECT_THAT(errorOf([&] {
                  OperatorStateStore store;
                  store.addRestored(damaged);
                  store.getBroadcastState(kRules);
                  store.getListState(kOffsets);
                }),
                HasSubstr("operator state"))
        << "the first " << size << " bytes";
  }
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// The operator state of all subtasks in a savepoint that keeps it in its `_metadata`.
std::vector<OperatorStateSnapshot> storedByFlink(const std::string& metadata_path) {
  std::vector<OperatorStateSnapshot> found;
  const auto metadata = checkpoint::decodeMetadata(readFile(metadata_path));
  EXPECT_OK(metadata);
  if (!metadata.ok()) return found;
  for (const auto& op : metadata->operators) {
    for (const auto& [subtask, state] : op.subtasks) {
      if (state.operator_state) {
        found.push_back({state.operator_state->states, state.operator_state->stream.bytes});
      }
    }
  }
  return found;
}

TEST(BroadcastStateTest, IsReadFromWhatFlinkWroteAndWrittenAsFlinkDoes) {
  const std::string folder = conformance::dataDirectory("savepoints") + "/broadcast-native-p2/";
  const auto content = nlohmann::json::parse(readFile(folder + "content.json"));
  const auto expected = content["operators"][0]["broadcastStates"][0]["entries"]
                            .get<std::map<std::string, std::string>>();
  const MapStateDescriptor<std::string, std::string> rules{"rules"};
  const std::vector<OperatorStateSnapshot> stored = storedByFlink(folder + "savepoint/_metadata");
  ASSERT_EQ(stored.size(), 2u);
  for (const OperatorStateSnapshot& snapshot : stored) {
    OperatorStateStore store;
    store.addRestored(snapshot);
    EXPECT_EQ(entriesOf(store.getBroadcastState(rules)), expected);
    // The header is Flink's to the byte; behind it the order of the entries is free.
    const OperatorStateSnapshot again = store.snapshot();
    ASSERT_EQ(again.states.size(), 1u);
    EXPECT_EQ(again.states[0].offsets, snapshot.states[0].offsets);
    EXPECT_EQ(again.stream.size(), snapshot.stream.size());
    const size_t entries = static_cast<size_t>(snapshot.states[0].offsets[0]) + 4;
    EXPECT_EQ(again.stream.substr(0, entries), snapshot.stream.substr(0, entries));
  }
}

}  // namespace
}  // namespace wiesel::state
