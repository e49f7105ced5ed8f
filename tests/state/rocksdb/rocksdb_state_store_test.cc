#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/data_input.h"
#include "state/keyed_state_header.h"
#include "state/rocksdb/open_rocksdb_store.h"
#include "state/state_error.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::state {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StatusIs;
using testing::TemporaryDirectory;

constexpr KeyGroupRange kWhole{0, 127};

StateInfo valueOf(const std::string& name) {
  return {name, StateKind::kValue, SerializerSnapshot::voidNamespace(),
          SerializerSnapshot::string()};
}

class RocksDbStateStoreTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ByteStateStore>> open(std::vector<KeyedRestore> restored,
                                                       KeyGroupRange range = kWhole) {
    database_ = directory_.file("db-" + std::to_string(++databases_));
    return openRocksDbStore({database_, range, 128, std::move(restored)});
  }

  std::unique_ptr<ByteStateStore> openOrDie(std::vector<KeyedRestore> restored = {},
                                            KeyGroupRange range = kWhole) {
    auto store = open(std::move(restored), range);
    EXPECT_OK(store);
    (*store)->setKeySerializer(SerializerSnapshot::int32());
    return *std::move(store);
  }

  static KeyedRestore restoreOf(const KeyedSnapshot& snapshot) {
    return {snapshot.range, std::make_shared<const std::string>(snapshot.stream), snapshot.offsets,
            snapshot.directory};
  }

  std::vector<std::string> filesInDirectory() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_.path())) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryDirectory directory_;
  std::string database_;
  int databases_ = 0;
};

std::string getOr(ByteStateStore& store, int column, std::string_view key, std::string fallback) {
  std::string value;
  return store.get(column, key, &value) ? value : fallback;
}

std::vector<std::string> keysIn(ByteStateStore& store, int column, std::string_view prefix) {
  std::vector<std::string> keys;
  store.scan(column, prefix, [&keys](std::string_view key, std::string_view) {
    keys.emplace_back(key);
    return true;
  });
  return keys;
}

std::string errorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const StateError& error) {
    return error.what();
  }
  return "no StateError";
}

TEST_F(RocksDbStateStoreTest, KeepsEachStateInAColumnOfItsOwn) {
  const auto store = openOrDie();
  const int first = store->openColumn(valueOf("first"));
  const int second = store->openColumn(valueOf("second"));
  EXPECT_EQ(store->openColumn(valueOf("first")), first);
  store->put(first, "k", "1");
  store->put(second, "k", "2");
  store->put(second, "k", "3");
  EXPECT_EQ(getOr(*store, first, "k", "none"), "1");
  EXPECT_EQ(getOr(*store, second, "k", "none"), "3");
  store->remove(first, "k");
  EXPECT_EQ(getOr(*store, first, "k", "none"), "none");
  EXPECT_EQ(getOr(*store, second, "k", "none"), "3");
  store->put(first, "k", "");
  EXPECT_EQ(getOr(*store, first, "k", "none"), "");
}

TEST_F(RocksDbStateStoreTest, JoinsAppendedElementsByCommas) {
  auto store = openOrDie();
  const int column = store->openColumn(valueOf("list"));
  store->append(column, "a", "1");
  EXPECT_EQ(getOr(*store, column, "a", "none"), "1");
  store->append(column, "a", "2");
  store->put(column, "b", "x");
  store->append(column, "b", "y");
  store->append(column, "c", "gone");
  store->remove(column, "c");
  store->append(column, "c", "new");
  store->append(column, "d", "");
  store->append(column, "d", "");
  const auto expectLists = [&](ByteStateStore& in) {
    EXPECT_EQ(getOr(in, column, "a", "none"), "1,2");
    EXPECT_EQ(getOr(in, column, "b", "none"), "x,y");
    EXPECT_EQ(getOr(in, column, "c", "none"), "new");
    EXPECT_EQ(getOr(in, column, "d", "none"), ",");
  };
  expectLists(*store);
  // From files, and on top of what is in files.
  store = openOrDie({restoreOf(store->snapshot(1))});
  store->openColumn(valueOf("list"));
  expectLists(*store);
  store->append(column, "a", "3");
  EXPECT_EQ(getOr(*store, column, "a", "none"), "1,2,3");
}

TEST_F(RocksDbStateStoreTest, ScansNoFurtherThanThePrefix) {
  const auto store = openOrDie();
  const int column = store->openColumn(valueOf("s"));
  for (std::string key : {"a", "ab", "abc", "b", "\xFF", "\xFF\xFF", "\xFF\xFF\x01"}) {
    store->put(column, key, "");
  }
  EXPECT_THAT(keysIn(*store, column, "ab"), ElementsAre("ab", "abc"));
  EXPECT_THAT(keysIn(*store, column, "\xFF\xFF"), ElementsAre("\xFF\xFF", "\xFF\xFF\x01"));
  EXPECT_THAT(keysIn(*store, column, "c"), IsEmpty());
  EXPECT_EQ(keysIn(*store, column, "").size(), 7u);
  int visited = 0;
  store->scan(column, "a",
              [&visited](std::string_view, std::string_view) { return ++visited < 2; });
  EXPECT_EQ(visited, 2);
}

TEST_F(RocksDbStateStoreTest, RemovesAllOfAPrefix) {
  const auto store = openOrDie();
  const int column = store->openColumn(valueOf("s"));
  for (int i = 0; i < 1500; ++i) store->put(column, "m" + std::to_string(i), "x");
  store->put(column, "l", "");
  store->put(column, "n", "");
  store->removePrefix(column, "m");
  EXPECT_THAT(keysIn(*store, column, ""), ElementsAre("l", "n"));
  store->removePrefix(column, "m");
  EXPECT_THAT(keysIn(*store, column, ""), ElementsAre("l", "n"));
}

TEST_F(RocksDbStateStoreTest, SnapshotIsNotChangedByWhatFollows) {
  auto store = openOrDie();
  const int column = store->openColumn(valueOf("s"));
  store->put(column, std::string("\x01key", 4), "old");
  const KeyedSnapshot snapshot = store->snapshot(7);
  EXPECT_EQ(snapshot.directory, database_ + "-chk-7");
  EXPECT_TRUE(fs::exists(snapshot.directory + "/CURRENT"));
  store->put(column, std::string("\x01key", 4), "new");
  store->openColumn(valueOf("later"));
  store.reset();
  const auto restored = openOrDie({restoreOf(snapshot)});
  EXPECT_EQ(getOr(*restored, restored->openColumn(valueOf("s")), std::string("\x01key", 4), "none"),
            "old");
  EXPECT_FALSE(fs::exists(snapshot.directory));
}

TEST_F(RocksDbStateStoreTest, SnapshotNamesAllStates) {
  auto store = openOrDie();
  store->openColumn(valueOf("a"));
  store->openColumn(valueOf("b"));
  store = openOrDie({restoreOf(store->snapshot(1))});
  store->openColumn(valueOf("c"));  // And nobody asks for the others.
  const KeyedSnapshot snapshot = store->snapshot(2);
  DataInput input(snapshot.stream);
  const KeyedStateHeader header = KeyedStateHeader::read(input);
  EXPECT_TRUE(input.atEnd());
  EXPECT_EQ(header.key_serializer, SerializerSnapshot::int32());
  std::vector<std::string> names;
  for (const StateInfo& info : header.states) names.push_back(info.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
}

TEST_F(RocksDbStateStoreTest, MayTakeTheSameCheckpointAgain) {
  const auto store = openOrDie();
  const int column = store->openColumn(valueOf("s"));
  store->put(column, "k", "1");
  store->snapshot(1);
  store->put(column, "k", "2");
  const auto restored = openOrDie({restoreOf(store->snapshot(1))});
  EXPECT_EQ(getOr(*restored, restored->openColumn(valueOf("s")), "k", "none"), "2");
}

TEST_F(RocksDbStateStoreTest, LeavesNoFilesBehind) {
  auto store = openOrDie();
  store->put(store->openColumn(valueOf("s")), "k", "v");
  const KeyedSnapshot snapshot = store->snapshot(1);
  store.reset();
  EXPECT_THAT(filesInDirectory(), ElementsAre("db-1-chk-1"));
  store = openOrDie({restoreOf(snapshot)}, {3, 5});  // Copied: another range.
  EXPECT_THAT(filesInDirectory(), ElementsAre("db-2"));
  store.reset();
  EXPECT_THAT(filesInDirectory(), IsEmpty());
}

TEST_F(RocksDbStateStoreTest, IsMadeAnewWhereOldFilesLie) {
  auto store = openOrDie();
  const std::string old = database_;
  store->put(store->openColumn(valueOf("s")), "k", "v");
  fs::copy(store->snapshot(1).directory, directory_.file("db-2"));
  store = openOrDie();
  EXPECT_EQ(getOr(*store, store->openColumn(valueOf("s")), "k", "none"), "none");
}

TEST_F(RocksDbStateStoreTest, RefusesTheNameOfRocksDbsOwnColumn) {
  const auto store = openOrDie();
  EXPECT_THAT(errorOf([&] { store->openColumn(valueOf("default")); }),
              HasSubstr("a state cannot be called 'default'"));
}

TEST_F(RocksDbStateStoreTest, ErrorsNameOperationStateAndDirectory) {
  const auto store = openOrDie();
  const int column = store->openColumn(valueOf("count"));
  store->put(column, "k", "v");
  fs::remove_all(database_);
  fs::remove_all(database_);
  const std::string error = errorOf([&] { store->snapshot(1); });
  EXPECT_THAT(error, HasSubstr("cannot take a snapshot to '" + database_ + "-chk-1'"));
  EXPECT_THAT(error, HasSubstr("in the database in '" + database_ + "'"));
  EXPECT_THAT(error, HasSubstr("No such file or directory"));
}

TEST_F(RocksDbStateStoreTest, RefusesADatabaseThatIsDamaged) {
  auto store = openOrDie();
  store->put(store->openColumn(valueOf("s")), "k", "v");
  const KeyedSnapshot snapshot = store->snapshot(1);
  for (const auto& entry : fs::directory_iterator(snapshot.directory)) {
    if (entry.path().extension() == ".sst") fs::resize_file(entry.path(), 10);
  }
  EXPECT_THAT(open({restoreOf(snapshot)}),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("cannot open the files")));
  EXPECT_FALSE(fs::exists(database_));
  EXPECT_FALSE(fs::exists(snapshot.directory));
}

TEST_F(RocksDbStateStoreTest, RefusesADatabaseThatIsNotAsDescribed) {
  auto store = openOrDie();
  store->openColumn(valueOf("a"));
  const KeyedSnapshot small = store->snapshot(1);
  store->openColumn(valueOf("b"));
  const KeyedSnapshot large = store->snapshot(2);
  for (KeyGroupRange range : {kWhole, KeyGroupRange{3, 5}}) {
    KeyedSnapshot lacking = small;
    lacking.directory = directory_.file("lacking");
    fs::copy(small.directory, lacking.directory);
    lacking.stream = large.stream;
    EXPECT_THAT(open({restoreOf(lacking)}, range),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("state 'b' is missing")));
    KeyedSnapshot more = large;
    more.directory = directory_.file("more");
    fs::copy(large.directory, more.directory);
    more.stream = small.stream;
    EXPECT_THAT(open({restoreOf(more)}, range),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("2 states, its description 1")));
  }
}

TEST_F(RocksDbStateStoreTest, RefusesPiecesThatDoNotFitEachOther) {
  auto left = openOrDie({}, {0, 63});
  left->openColumn(valueOf("s"));
  auto right = openOrDie({}, {64, 127});
  StateInfo other = valueOf("s");
  other.kind = StateKind::kReducing;
  right->openColumn(other);
  EXPECT_THAT(open({restoreOf(left->snapshot(1)), restoreOf(right->snapshot(1))}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("state 's' was stored as VALUE of String, the program declares "
                                 "REDUCING of String")));
}

TEST_F(RocksDbStateStoreTest, RefusesStateFromMemory) {
  KeyedRestore heap{kWhole, std::make_shared<const std::string>(), {}, ""};
  EXPECT_THAT(open({heap}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not that of a database")));
}

}  // namespace
}  // namespace wiesel::state
