#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/random.h"
#include "runtime/time/timer_queue.h"
#include "runtime/windowing/time_window.h"
#include "tests/state/backend_rig.h"
#include "tests/support/test_seed.h"

// Random operations on all kinds of state, on both backends side by side and on a model of standard
// containers; now and then everything goes through a snapshot to another parallelism.

namespace wiesel::state {
namespace {

using testing::BackendKind;
using testing::BackendRig;

using Amount = std::optional<int64_t>;

template <class K, class N>
struct Model {
  using Place = std::pair<K, N>;
  std::map<Place, int64_t> values;
  std::map<Place, std::vector<std::string>> lists;
  std::map<Place, std::map<std::string, Amount>> maps;
  std::set<std::tuple<int64_t, K, N>> timers;
};

/// The subtasks of one operator on one backend.
template <class K, class N>
class Operator {
 public:
  using Timer = runtime::Timer<K, N>;

  struct Subtask {
    std::unique_ptr<TypedKeyedStateBackend<K>> backend;
    ValueCell<N, int64_t>* value = nullptr;
    ListCell<N, std::string>* list = nullptr;
    MapCell<N, std::string, Amount>* map = nullptr;
    std::unique_ptr<runtime::TimerQueue<K, N>> timers;
  };

  Operator(BackendKind kind, int max_parallelism) : rig_(kind, max_parallelism) { start(1, {}); }

  int parallelism() const { return static_cast<int>(subtasks_.size()); }
  Subtask& subtask(int index) { return subtasks_[index]; }

  int indexFor(const K& key) const {
    const int key_group = keyGroupFor(Serializer<K>::hashCode(key), rig_.maxParallelism());
    return subtaskFor(key_group, parallelism(), rig_.maxParallelism());
  }

  Subtask& select(const K& key) {
    Subtask& subtask = subtasks_[indexFor(key)];
    subtask.backend->setCurrentKey(key);
    return subtask;
  }

  /// Continues at another parallelism; through backends on the way that declare nothing when
  /// `between` is not 0.
  void rescale(int between, int parallelism) {
    std::vector<KeyedSnapshot> snapshots = takeSnapshots();
    if (between != 0) {
      makeBackends(between, snapshots);
      snapshots = takeSnapshots();
    }
    start(parallelism, snapshots);
  }

 private:
  void makeBackends(int parallelism, const std::vector<KeyedSnapshot>& snapshots) {
    subtasks_.clear();
    for (int i = 0; i < parallelism; ++i) {
      const KeyGroupRange range = keyGroupRangeFor(i, parallelism, rig_.maxParallelism());
      subtasks_.push_back({rig_.template make<K>(range, snapshots), {}, {}, {}, {}});
    }
  }

  void start(int parallelism, const std::vector<KeyedSnapshot>& snapshots) {
    makeBackends(parallelism, snapshots);
    for (Subtask& subtask : subtasks_) {
      subtask.timers = std::make_unique<runtime::TimerQueue<K, N>>("timers", *subtask.backend);
      subtask.map = &subtask.backend->template mapCell<N, std::string, Amount>("map");
      subtask.list = &subtask.backend->template listCell<N, std::string>("list");
      subtask.value = &subtask.backend->template valueCell<N, int64_t>("value");
    }
  }

  std::vector<KeyedSnapshot> takeSnapshots() {
    std::vector<KeyedSnapshot> snapshots;
    for (Subtask& subtask : subtasks_) {
      snapshots.push_back(subtask.backend->snapshot(++checkpoint_id_));
    }
    return snapshots;
  }

  BackendRig rig_;
  int64_t checkpoint_id_ = 0;
  std::vector<Subtask> subtasks_;
};

template <class K, class N>
class Play {
 public:
  Play(uint64_t seed, int max_parallelism, std::vector<K> keys, std::vector<N> namespaces)
      : random_(seed), keys_(std::move(keys)), namespaces_(std::move(namespaces)) {
    for (BackendKind kind : {BackendKind::kHeap, BackendKind::kRocksDb}) {
      operators_.push_back(std::make_unique<Operator<K, N>>(kind, max_parallelism));
    }
  }

  void run(int operations) {
    constexpr int kOperationsAtOneParallelism = 400;
    for (int i = 1; i <= operations && !::testing::Test::HasFailure(); ++i) {
      playOne();
      if (i % kOperationsAtOneParallelism == 0) rescale();
    }
    compareAll();
  }

 private:
  using Place = typename Model<K, N>::Place;
  using Subtask = typename Operator<K, N>::Subtask;

  template <class F>
  void onEach(const K& key, F f) {
    for (auto& op : operators_) f(op->select(key));
  }

  void playOne() {
    const Place place(keys_[random_.below(keys_.size())],
                      namespaces_[random_.below(namespaces_.size())]);
    switch (random_.below(4)) {
      case 0:
        return playValue(place);
      case 1:
        return playList(place);
      case 2:
        return playMap(place);
      case 3:
        return playTimer(place);
    }
  }

  void playValue(const Place& place) {
    const N& ns = place.second;
    const int64_t number = static_cast<int64_t>(random_.next());
    switch (random_.below(5)) {
      case 0:
        model_.values[place] = number;
        return onEach(place.first, [&](Subtask& subtask) { subtask.value->put(ns, number); });
      case 1:
        model_.values.try_emplace(place, 7).first->second += number % 1000;
        return onEach(place.first, [&](Subtask& subtask) {
          subtask.value->getOrInsert(ns, 7) += number % 1000;
        });
      case 2:
        model_.values.erase(place);
        return onEach(place.first, [&](Subtask& subtask) { subtask.value->clear(ns); });
      default:
        return compareValue(place);
    }
  }

  void playList(const Place& place) {
    const N& ns = place.second;
    switch (random_.below(6)) {
      case 0: {
        std::vector<std::string> elements;
        for (size_t count = 1 + random_.below(4); count > 0; --count) elements.push_back(text());
        model_.lists[place] = elements;
        return onEach(place.first, [&](Subtask& subtask) { subtask.list->put(ns, elements); });
      }
      case 1:
        model_.lists.erase(place);
        return onEach(place.first, [&](Subtask& subtask) { subtask.list->clear(ns); });
      case 2:
        return compareList(place);
      default: {
        const std::string element = text();
        model_.lists[place].push_back(element);
        return onEach(place.first, [&](Subtask& subtask) { subtask.list->add(ns, element); });
      }
    }
  }

  void playMap(const Place& place) {
    const N& ns = place.second;
    const std::string key = text();
    switch (random_.below(8)) {
      case 0:
        if (random_.below(4) != 0) return compareMap(place);
        model_.maps.erase(place);
        return onEach(place.first, [&](Subtask& subtask) { subtask.map->clear(ns); });
      case 1: {
        auto entries = model_.maps.find(place);
        if (entries != model_.maps.end()) {
          entries->second.erase(key);
          if (entries->second.empty()) model_.maps.erase(entries);
        }
        return onEach(place.first, [&](Subtask& subtask) { subtask.map->remove(ns, key); });
      }
      case 2: {
        const auto entries = model_.maps.find(place);
        const Amount* expected = nullptr;
        if (entries != model_.maps.end() && entries->second.contains(key)) {
          expected = &entries->second.at(key);
        }
        return onEach(place.first, [&](Subtask& subtask) {
          const Amount* found = subtask.map->find(ns, key);
          ASSERT_EQ(found == nullptr, expected == nullptr);
          if (found != nullptr) {
            EXPECT_EQ(*found, *expected);
          }
        });
      }
      default: {
        Amount amount;
        if (random_.below(4) != 0) amount = static_cast<int64_t>(random_.below(100));
        model_.maps[place][key] = amount;
        return onEach(place.first, [&](Subtask& subtask) { subtask.map->put(ns, key, amount); });
      }
    }
  }

  void playTimer(const Place& place) {
    const auto& [key, ns] = place;
    const int64_t time = static_cast<int64_t>(random_.below(200)) - 100;
    switch (random_.below(4)) {
      case 0:
        model_.timers.erase({time, key, ns});
        return onEach(key, [&](Subtask& subtask) { subtask.timers->remove({time, key, ns}); });
      case 1:
        return fireEarliest(operators_.front()->indexFor(key));
      default:
        model_.timers.insert({time, key, ns});
        return onEach(key, [&](Subtask& subtask) { subtask.timers->add({time, key, ns}); });
    }
  }

  /// Takes all timers of the earliest time out of one subtask: among them there is no order.
  void fireEarliest(int index) {
    std::set<std::tuple<int64_t, K, N>> expected;
    for (const auto& timer : model_.timers) {
      if (operators_.front()->indexFor(std::get<1>(timer)) != index) continue;
      if (!expected.empty() && std::get<0>(*expected.begin()) != std::get<0>(timer)) break;
      expected.insert(timer);
    }
    for (auto& op : operators_) {
      auto& timers = *op->subtask(index).timers;
      std::set<std::tuple<int64_t, K, N>> fired;
      while (!timers.empty() &&
             (fired.empty() || std::get<0>(*fired.begin()) == timers.earliest().timestamp_ms)) {
        const auto timer = timers.pop();
        ASSERT_TRUE(fired.insert({timer.timestamp_ms, timer.key, timer.ns}).second);
      }
      ASSERT_EQ(fired, expected);
    }
    for (const auto& timer : expected) model_.timers.erase(timer);
  }

  void rescale() {
    const int between = static_cast<int>(random_.below(4));
    static constexpr int kParallelisms[] = {3, 2, 2, 1, 1};
    const int parallelism = kParallelisms[rescales_++ % std::size(kParallelisms)];
    SCOPED_TRACE("parallelism " + std::to_string(parallelism) + " by way of " +
                 std::to_string(between));
    for (auto& op : operators_) op->rescale(between, parallelism);
    compareAll();
  }

  void compareAll() {
    for (const K& key : keys_) {
      for (const N& ns : namespaces_) {
        const Place place(key, ns);
        compareValue(place);
        compareList(place);
        compareMap(place);
      }
    }
  }

  void compareValue(const Place& place) {
    const auto expected = model_.values.find(place);
    onEach(place.first, [&](Subtask& subtask) {
      const int64_t* found = subtask.value->find(place.second);
      ASSERT_EQ(found == nullptr, expected == model_.values.end());
      if (found != nullptr) {
        EXPECT_EQ(*found, expected->second);
      }
    });
  }

  void compareList(const Place& place) {
    const auto expected = model_.lists.find(place);
    onEach(place.first, [&](Subtask& subtask) {
      const std::vector<std::string>* found = subtask.list->find(place.second);
      ASSERT_EQ(found == nullptr, expected == model_.lists.end());
      if (found != nullptr) {
        EXPECT_EQ(*found, expected->second);
      }
    });
  }

  void compareMap(const Place& place) {
    const auto entries = model_.maps.find(place);
    const std::map<std::string, Amount> expected =
        entries == model_.maps.end() ? std::map<std::string, Amount>() : entries->second;
    onEach(place.first, [&](Subtask& subtask) {
      std::map<std::string, Amount> found;
      subtask.map->forEach(place.second, [&found](const std::string& key, const Amount& amount) {
        EXPECT_TRUE(found.emplace(key, amount).second);
        return true;
      });
      EXPECT_EQ(found, expected);
      EXPECT_EQ(subtask.map->empty(place.second), expected.empty());
    });
  }

  /// Short, of few different ones, with commas and bytes that are no text.
  std::string text() {
    static const std::vector<std::string> texts = {"",         ",", "a",        "a,b",
                                                   "\xFF\xFE", "ä", "long text"};
    return texts[random_.below(texts.size())];
  }

  SeededRandom random_;
  const std::vector<K> keys_;
  const std::vector<N> namespaces_;
  std::vector<std::unique_ptr<Operator<K, N>>> operators_;
  Model<K, N> model_;
  size_t rescales_ = 0;
};

constexpr int kOperations = 2400;
constexpr uint64_t kSeeds = 2;

template <class K, class N>
void play(int max_parallelism, const std::vector<K>& keys, const std::vector<N>& namespaces) {
  for (uint64_t seed : testing::testSeeds(kSeeds)) {
    SCOPED_TRACE("WIESEL_TEST_SEED=" + std::to_string(seed));
    Play<K, N>(seed, max_parallelism, keys, namespaces).run(kOperations);
  }
}

std::vector<std::string> names() {
  return {"", "a", "b", "ab", "anna", "bert", "carl", "\xFF", "a,b", "x\\", std::string(200, 'l')};
}

TEST(KeyedStateModelTest, KeepsWhatItIsGivenWithoutNamespaces) {
  std::vector<int64_t> keys = {0, 1, -1, INT64_MIN, INT64_MAX};
  for (int64_t key = 100; key < 200; ++key) keys.push_back(key);
  play<int64_t, VoidNamespace>(128, keys, {VoidNamespace()});
}

TEST(KeyedStateModelTest, KeepsWhatItIsGivenInWindows) {
  play<std::string, TimeWindow>(300, names(), {{0, 1000}, {1000, 2000}, {-1000, 0}});
}

// Keys and namespaces of varying length: only their lengths tell them apart.
TEST(KeyedStateModelTest, KeepsWhatItIsGivenInNamespacesThatAreText) {
  play<std::string, std::string>(128, names(), {"", "a", "b", "ab"});
}

TEST(KeyedStateModelTest, KeepsWhatItIsGivenForKeysOfManyParts) {
  std::vector<std::tuple<int32_t, std::string, bool>> keys;
  for (int32_t number : {1, 2, 255}) {
    for (const char* name : {"a", "b"}) keys.emplace_back(number, name, number == 1);
  }
  play<std::tuple<int32_t, std::string, bool>, VoidNamespace>(4096, keys, {VoidNamespace()});
}

}  // namespace
}  // namespace wiesel::state
