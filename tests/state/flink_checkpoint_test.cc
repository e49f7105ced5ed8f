#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "checkpoint/metadata/metadata_reader.h"
#include "runtime/time/timer_queue.h"
#include "tests/conformance/data_directory.h"
#include "tests/state/backend_rig.h"
#include "tests/support/status_matchers.h"

// Checkpoints that Flink 1.20.5 wrote, restored by our backends.

namespace wiesel::state {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::BackendKind;
using testing::BackendRig;
using testing::TemporaryDirectory;

constexpr VoidNamespace kVoid;

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

class FlinkCheckpoint {
 public:
  explicit FlinkCheckpoint(const std::string& name)
      : folder_(conformance::dataDirectory("savepoints") + "/" + name),
        content_(json::parse(readFile(folder_ + "/content.json"))),
        checkpoint_(folder_ + "/" + content_["path"].get<std::string>()) {}

  const json& keyedOperator() const { return content_["operators"][0]; }

  /// The keyed state of its only stateful operator, a piece for each subtask.
  std::vector<KeyedSnapshot> pieces() {
    std::vector<KeyedSnapshot> pieces;
    const auto metadata = checkpoint::decodeMetadata(readFile(checkpoint_ + "/_metadata"));
    EXPECT_OK(metadata);
    for (const auto& snapshot : metadata->operators) {
      for (const auto& [subtask, state] : snapshot.subtasks) {
        if (state.keyed_state)
          pieces.push_back(std::visit([&](const auto& h) { return fetch(h); }, *state.keyed_state));
      }
    }
    return pieces;
  }

 private:
  std::string bytesOf(const StreamHandle& handle) const {
    if (handle.kind == StreamHandle::Kind::kInline) return handle.bytes;
    if (handle.kind == StreamHandle::Kind::kRelative) {
      return readFile(checkpoint_ + "/" + handle.name);
    }
    // .../<job>/shared/<file>, under the folder where Flink had it.
    const fs::path path(handle.name);
    const fs::path local = fs::path(checkpoint_).parent_path() / path.parent_path().filename();
    return readFile(local / path.filename());
  }

  KeyedSnapshot fetch(const KeyGroupsHandle& handle) const {
    return {handle.key_groups, bytesOf(handle.stream), handle.offsets, ""};
  }

  KeyedSnapshot fetch(const IncrementalHandle& handle) {
    KeyedSnapshot piece{handle.key_groups, bytesOf(handle.metadata), {}, ""};
    piece.directory = files_.file("piece-" + std::to_string(pieces_++));
    fs::create_directory(piece.directory);
    for (const auto* files : {&handle.shared_files, &handle.private_files}) {
      for (const SnapshotFile& file : *files) {
        std::ofstream(piece.directory + "/" + file.local_name, std::ios::binary)
            << bytesOf(file.stream);
      }
    }
    return piece;
  }

  const std::string folder_;
  const json content_;
  const std::string checkpoint_;
  TemporaryDirectory files_;
  int pieces_ = 0;
};

/// The restored state of a subtask, as content.json says it.
class Restored {
 public:
  explicit Restored(TypedKeyedStateBackend<std::string>& backend) : backend_(backend) {}

  json value(const std::string& state, const std::string& key) {
    backend_.setCurrentKey(key);
    if (state == "vl") return orNull(backend_.valueCell<VoidNamespace, int64_t>(state));
    if (state == "vs") return orNull(backend_.valueCell<VoidNamespace, std::string>(state));
    if (state == "rs") {
      return orNull(backend_.valueCell<VoidNamespace, int64_t>(state, StateKind::kReducing));
    }
    if (state == "as") {
      return orNull(backend_.valueCell<VoidNamespace, std::pair<int64_t, int64_t>>(
          state, StateKind::kAggregating));
    }
    if (state == "ls") {
      const auto* found = backend_.listCell<VoidNamespace, std::string>(state).find(kVoid);
      return found == nullptr ? json() : json(*found);
    }
    json entries = json::object();
    backend_.mapCell<VoidNamespace, std::string, int64_t>(state).forEach(
        kVoid, [&entries](const std::string& entry, int64_t amount) {
          entries[entry] = amount;
          return true;
        });
    return entries;
  }

  /// Timestamps and keys.
  std::set<std::pair<int64_t, std::string>> timers(const std::string& name) {
    auto& queue = *queues_.emplace_back(std::make_unique<Queue>(name, backend_));
    std::set<std::pair<int64_t, std::string>> timers;
    while (!queue.empty()) {
      const auto timer = queue.pop();
      EXPECT_TRUE(timers.emplace(timer.timestamp_ms, timer.key).second);
    }
    return timers;
  }

 private:
  using Queue = runtime::TimerQueue<std::string, VoidNamespace>;

  template <class V>
  static json orNull(ValueCell<VoidNamespace, V>& cell) {
    const V* value = cell.find(kVoid);
    return value == nullptr ? json() : json(*value);
  }

  TypedKeyedStateBackend<std::string>& backend_;
  std::vector<std::unique_ptr<Queue>> queues_;
};

struct Fixture {
  std::string name;
  BackendKind backend;
  std::string checkpoint;
};

void PrintTo(const Fixture& fixture, std::ostream* out) { *out << fixture.checkpoint; }

class FlinkCheckpointTest : public ::testing::TestWithParam<Fixture> {};

TEST_P(FlinkCheckpointTest, RestoresAtAnyParallelism) {
  FlinkCheckpoint checkpoint(GetParam().checkpoint);
  const std::vector<KeyedSnapshot> pieces = checkpoint.pieces();
  ASSERT_FALSE(pieces.empty());
  constexpr int kMaxParallelism = 128;
  for (int parallelism : {1, 2, 3}) {
    SCOPED_TRACE("parallelism " + std::to_string(parallelism));
    BackendRig rig(GetParam().backend, kMaxParallelism);
    std::map<std::string, std::set<std::pair<int64_t, std::string>>> timers;
    for (int subtask = 0; subtask < parallelism; ++subtask) {
      const KeyGroupRange range = keyGroupRangeFor(subtask, parallelism, kMaxParallelism);
      const auto backend = rig.make<std::string>(range, pieces);
      Restored restored(*backend);
      for (const json& state : checkpoint.keyedOperator()["keyedStates"]) {
        for (const json& entry : state["entries"]) {
          if (!range.contains(entry["keyGroup"])) continue;
          EXPECT_EQ(restored.value(state["name"], entry["key"]), entry["value"])
              << state["name"] << " of " << entry["key"];
        }
      }
      for (const json& queue : checkpoint.keyedOperator()["timers"]) {
        timers[queue["name"]].merge(restored.timers(queue["name"]));
      }
    }
    for (const json& queue : checkpoint.keyedOperator()["timers"]) {
      std::set<std::pair<int64_t, std::string>> expected;
      for (const json& timer : queue["entries"]) expected.emplace(timer["timestamp"], timer["key"]);
      EXPECT_EQ(timers[queue["name"]], expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Of, FlinkCheckpointTest,
    ::testing::Values(Fixture{"HashMap", BackendKind::kHeap,
                              "keyed-string-retained-hashmap-p2-files"},
                      Fixture{"RocksDbIncremental", BackendKind::kRocksDb,
                              "keyed-string-retained-rocksdb-incremental-p1-files"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::state
