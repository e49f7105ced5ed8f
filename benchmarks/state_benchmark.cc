#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "common/check.h"
#include "common/random.h"
#include "state/keyed_state_backend.h"
#include "state/rocksdb/open_rocksdb_store.h"
#include "tests/support/temporary_directory.h"

// What one access to keyed state costs, by backend and number of keys. Keys come at random, so that
// nothing is served from the last key's place.

namespace wiesel::state {
namespace {

constexpr int kMaxParallelism = 128;
constexpr VoidNamespace kVoid;

enum Kind { kHeap, kRocksDb };

std::unique_ptr<TypedKeyedStateBackend<int64_t>> makeBackend(int64_t kind,
                                                             const std::string& directory) {
  KeyedBackendSetup setup;
  setup.range = {0, kMaxParallelism - 1};
  setup.max_parallelism = kMaxParallelism;
  if (kind == kRocksDb) {
    auto store = openRocksDbStore({directory, setup.range, kMaxParallelism, {}});
    WIESEL_CHECK(store.ok()) << store.status().message();
    setup.byte_store = *std::move(store);
  }
  return makeKeyedStateBackend<int64_t>(std::move(setup));
}

class State {
 public:
  explicit State(const benchmark::State& arguments)
      : keys_(arguments.range(1)),
        backend_(makeBackend(arguments.range(0), directory_.file("db"))) {}

  TypedKeyedStateBackend<int64_t>& backend() { return *backend_; }

  void selectKey(int64_t key) { backend_->setCurrentKey(key); }
  void selectRandomKey() { selectKey(static_cast<int64_t>(random_.below(keys_))); }

 private:
  testing::TemporaryDirectory directory_;
  const uint64_t keys_;
  std::unique_ptr<TypedKeyedStateBackend<int64_t>> backend_;
  SeededRandom random_{42};
};

/// Reads a counter, adds to it, stores it: the running count.
void valueReadAndUpdate(benchmark::State& state) {
  State under_test(state);
  auto& cell = under_test.backend().valueCell<VoidNamespace, int64_t>("count");
  for (int64_t key = 0; key < state.range(1); ++key) {
    under_test.selectKey(key);
    cell.put(kVoid, key);
  }
  for (auto _ : state) {
    under_test.selectRandomKey();
    cell.getOrInsert(kVoid, 0) += 1;
  }
  state.SetItemsProcessed(state.iterations());
}

void valueRead(benchmark::State& state) {
  State under_test(state);
  auto& cell = under_test.backend().valueCell<VoidNamespace, int64_t>("count");
  for (int64_t key = 0; key < state.range(1); ++key) {
    under_test.selectKey(key);
    cell.put(kVoid, key);
  }
  for (auto _ : state) {
    under_test.selectRandomKey();
    benchmark::DoNotOptimize(cell.find(kVoid));
  }
  state.SetItemsProcessed(state.iterations());
}

void listAdd(benchmark::State& state) {
  State under_test(state);
  auto& cell = under_test.backend().listCell<VoidNamespace, int64_t>("list");
  for (auto _ : state) {
    under_test.selectRandomKey();
    benchmark::DoNotOptimize(cell.add(kVoid, 1));
  }
  state.SetItemsProcessed(state.iterations());
}

/// Sixteen entries a key.
void mapPutAndScan(benchmark::State& state) {
  State under_test(state);
  auto& cell = under_test.backend().mapCell<VoidNamespace, int64_t, int64_t>("map");
  int64_t entry = 0;
  for (auto _ : state) {
    under_test.selectRandomKey();
    cell.put(kVoid, entry % 16, entry);
    ++entry;
    int64_t sum = 0;
    cell.forEach(kVoid, [&sum](int64_t, int64_t value) {
      sum += value;
      return true;
    });
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations());
}

/// The part of a checkpoint that stops the task.
void snapshot(benchmark::State& state) {
  State under_test(state);
  auto& cell = under_test.backend().valueCell<VoidNamespace, int64_t>("count");
  int64_t checkpoint_id = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (int64_t key = 0; key < state.range(1); ++key) {
      under_test.selectKey(key);
      cell.put(kVoid, checkpoint_id);
    }
    state.ResumeTiming();
    const KeyedSnapshot taken = under_test.backend().snapshot(++checkpoint_id);
    state.PauseTiming();
    std::filesystem::remove_all(taken.directory);
    state.ResumeTiming();
  }
}

void openWithOneState(benchmark::State& state) {
  for (auto _ : state) {
    State under_test(state);
    under_test.backend().valueCell<VoidNamespace, int64_t>("count");
  }
}

void forBothBackends(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"rocksdb", "keys"});
  for (int64_t keys : {1'000, 1'000'000}) {
    for (int64_t kind : {kHeap, kRocksDb}) benchmark->Args({kind, keys});
  }
}

BENCHMARK(valueReadAndUpdate)->Apply(forBothBackends);
BENCHMARK(valueRead)->Apply(forBothBackends);
BENCHMARK(listAdd)->Apply(forBothBackends);
BENCHMARK(mapPutAndScan)->Apply(forBothBackends);
BENCHMARK(snapshot)->Apply(forBothBackends)->Unit(benchmark::kMillisecond);
BENCHMARK(openWithOneState)
    ->ArgNames({"rocksdb", "keys"})
    ->Args({kHeap, 0})
    ->Args({kRocksDb, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wiesel::state
