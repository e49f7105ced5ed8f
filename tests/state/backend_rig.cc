#include "tests/state/backend_rig.h"

#include <filesystem>

#include "state/rocksdb/open_rocksdb_store.h"
#include "state/state_error.h"

namespace wiesel::testing {

std::string backendName(BackendKind kind) {
  return kind == BackendKind::kHeap ? "Heap" : "RocksDb";
}

state::KeyedRestore BackendRig::copyOf(const state::KeyedSnapshot& snapshot) {
  state::KeyedRestore restore;
  restore.range = snapshot.range;
  restore.stream = std::make_shared<const std::string>(snapshot.stream);
  restore.offsets = snapshot.offsets;
  if (!snapshot.directory.empty()) {
    restore.directory = directory_.file("from-" + std::to_string(directories_++));
    std::filesystem::copy(snapshot.directory, restore.directory);
  }
  return restore;
}

state::KeyedBackendSetup BackendRig::setUp(state::KeyGroupRange range,
                                           const std::vector<state::KeyedSnapshot>& snapshots) {
  std::vector<state::KeyedRestore> restored;
  for (const state::KeyedSnapshot& snapshot : snapshots) {
    if (!snapshot.range.intersect(range).empty()) restored.push_back(copyOf(snapshot));
  }
  state::KeyedBackendSetup setup;
  setup.range = range;
  setup.max_parallelism = max_parallelism_;
  if (kind_ == BackendKind::kHeap) {
    setup.restored = std::move(restored);
    return setup;
  }
  auto store = state::openRocksDbStore({directory_.file("db-" + std::to_string(directories_++)),
                                        range, max_parallelism_, std::move(restored)});
  if (!store.ok()) throw state::StateError(std::string(store.status().message()));
  setup.byte_store = *std::move(store);
  return setup;
}

}  // namespace wiesel::testing
