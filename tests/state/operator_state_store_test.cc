#include "state/operator_state_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "state/time_to_live.h"

namespace wiesel::state {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ListStateDescriptor<std::string> kWords{"words"};
const ListStateDescriptor<int64_t> kOffsets{"offsets"};

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
  store.getListState(kWords).update({"a", "", "long word"});
  store.getListState(kOffsets).add(5);
  return store.snapshot();
}

TEST(OperatorStateStoreTest, HasNoSnapshotWithoutStates) {
  OperatorStateStore store;
  EXPECT_FALSE(store.isRestored());
  EXPECT_THAT(store.snapshot().stream, IsEmpty());
  EXPECT_THAT(store.snapshot().states, IsEmpty());
}

TEST(OperatorStateStoreTest, RestoresWhatItSaved) {
  OperatorStateStore store;
  store.addRestored(sample());
  EXPECT_TRUE(store.isRestored());
  EXPECT_THAT(store.getListState(kWords).get(), ElementsAre("a", "", "long word"));
  EXPECT_THAT(store.getListState(kOffsets).get(), ElementsAre(5));
  EXPECT_EQ(store.snapshot().stream, sample().stream);
}

TEST(OperatorStateStoreTest, GivesTheSameListForTheSameName) {
  OperatorStateStore store;
  OperatorListState<std::string>& words = store.getListState(kWords);
  words.add("a");
  EXPECT_EQ(&store.getListState(kWords), &words);
  EXPECT_EQ(errorOf([&] { store.getListState(ListStateDescriptor<int64_t>{"words"}); }),
            "operator state 'words' is declared with two types");
}

TEST(OperatorStateStoreTest, RefusesATimeToLive) {
  const auto an_hour = StateTtlConfig::newBuilder(std::chrono::hours(1)).build();
  ListStateDescriptor<int64_t> list{"list"};
  list.enableTimeToLive(an_hour);
  MapStateDescriptor<int64_t, int64_t> map{"map"};
  map.enableTimeToLive(an_hour);
  OperatorStateStore store;
  EXPECT_EQ(errorOf([&] { store.getListState(list); }),
            "state 'list' has a time to live, which operator state cannot have: leave "
            "enableTimeToLive() out");
  EXPECT_THAT(errorOf([&] { store.getUnionListState(list); }),
              HasSubstr("state 'list' has a time"));
  EXPECT_THAT(errorOf([&] { store.getBroadcastState(map); }), HasSubstr("state 'map' has a time"));
}

TEST(OperatorStateStoreTest, RestoresAnEmptyListAsRestored) {
  OperatorStateStore saved;
  saved.getListState(kWords);
  OperatorStateStore store;
  store.addRestored(saved.snapshot());
  EXPECT_TRUE(store.isRestored());
  EXPECT_THAT(store.getListState(kWords).get(), IsEmpty());
}

// After a change of parallelism a subtask gets some elements of several streams.
TEST(OperatorStateStoreTest, GathersElementsOfSeveralStreams) {
  OperatorStateSnapshot first = sample();
  first.states[1].offsets = {first.states[1].offsets[2]};
  OperatorStateSnapshot second = sample();
  second.states = {second.states[1]};
  OperatorStateStore store;
  store.addRestored(first);
  store.addRestored(second);
  EXPECT_THAT(store.getListState(kWords).get(), ElementsAre("long word", "a", "", "long word"));
  EXPECT_THAT(store.getListState(kOffsets).get(), ElementsAre(5));
}

TEST(OperatorStateStoreTest, KeepsWhatNobodyDeclares) {
  OperatorStateStore first;
  first.addRestored(sample());
  first.getListState(kOffsets).add(6);
  OperatorStateStore second;
  second.addRestored(first.snapshot());
  EXPECT_THAT(second.getListState(kWords).get(), ElementsAre("a", "", "long word"));
  EXPECT_THAT(second.getListState(kOffsets).get(), ElementsAre(5, 6));
}

TEST(OperatorStateStoreTest, KeepsTheModeOfWhatNobodyDeclares) {
  OperatorStateSnapshot stored = sample();
  for (auto& state : stored.states) state.mode = DistributionMode::kUnion;
  OperatorStateStore store;
  store.addRestored(stored);
  const OperatorStateSnapshot snapshot = store.snapshot();
  ASSERT_EQ(snapshot.states.size(), 2u);
  EXPECT_EQ(snapshot.states[0].mode, DistributionMode::kUnion);
  EXPECT_THAT(snapshot.stream, HasSubstr("UNION"));
}

TEST(OperatorStateStoreTest, SavesAUnionListAsOne) {
  OperatorStateStore saved;
  saved.getUnionListState(kWords).add("a");
  const OperatorStateSnapshot snapshot = saved.snapshot();
  ASSERT_EQ(snapshot.states.size(), 1u);
  EXPECT_EQ(snapshot.states[0].mode, DistributionMode::kUnion);
  OperatorStateStore store;
  store.addRestored(snapshot);
  EXPECT_THAT(store.getUnionListState(kWords).get(), ElementsAre("a"));
  EXPECT_EQ(errorOf([&] { store.getListState(kWords); }),
            "operator state 'words' is declared as a list and as a union list");
}

TEST(OperatorStateStoreTest, RefusesOtherTypesThanStored) {
  OperatorStateStore store;
  store.addRestored(sample());
  EXPECT_EQ(errorOf([&] { store.getListState(ListStateDescriptor<bool>{"words"}); }),
            "operator state 'words' was stored as SPLIT_DISTRIBUTE list of String, the program "
            "declares SPLIT_DISTRIBUTE list of Boolean");
  OperatorStateSnapshot of_union = sample();
  for (auto& state : of_union.states) state.mode = DistributionMode::kUnion;
  OperatorStateStore other;
  other.addRestored(of_union);
  EXPECT_THAT(errorOf([&] { other.getListState(kWords); }),
              HasSubstr("was stored as UNION list of String"));
  EXPECT_THAT(errorOf([&] { store.addRestored(of_union); }), HasSubstr("differ in type"));
}

TEST(OperatorStateStoreTest, SaysWhatIsWrongWithDamagedBytes) {
  const OperatorStateSnapshot whole = sample();
  for (size_t size = 0; size < whole.stream.size(); ++size) {
    OperatorStateSnapshot damaged = whole;
    damaged.stream.resize(size);
    EXPECT_THAT(errorOf([&] {
                  OperatorStateStore store;
                  store.addRestored(damaged);
                  store.getListState(kWords);
                  store.getListState(kOffsets);
                }),
                HasSubstr("operator state"))
        << "the first " << size << " bytes";
  }
}

}  // namespace
}  // namespace wiesel::state
