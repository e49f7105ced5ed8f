#include "api/testing/harness_state.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "checkpoint/restore/operator_state_repartitioner.h"
#include "state/rocksdb/open_rocksdb_store.h"
#include "state/state_error.h"

namespace wiesel::testing {

namespace {

/// Of any operator.
bool hasState(const std::vector<std::vector<OperatorState>>& subtasks) {
  return std::ranges::any_of(subtasks, [](const std::vector<OperatorState>& states) {
    return std::ranges::any_of(states, &OperatorState::hasState);
  });
}

/// What the new subtask of `range` gets of the keyed state of one operator.
std::vector<state::KeyedRestore> keyedStateFor(const state::KeyGroupRange& range,
                                               const std::vector<const OperatorState*>& old,
                                               ScratchDirectory& scratch) {
  std::vector<state::KeyedRestore> restored;
  for (const OperatorState* one : old) {
    const state::KeyedSnapshot& snapshot = one->keyed_state;
    if (!one->has_keyed_state || snapshot.range.intersect(range).empty()) continue;
    state::KeyedRestore& restore = restored.emplace_back();
    restore.range = snapshot.range;
    restore.stream = std::make_shared<const std::string>(snapshot.stream);
    restore.offsets = snapshot.offsets;
    if (snapshot.directory.empty()) continue;
    restore.directory = scratch.freshPath();
    std::filesystem::copy(snapshot.directory, restore.directory);
  }
  return restored;
}

/// What each of `parallelism` new subtasks gets of the operator state of one.
std::vector<std::vector<state::OperatorStateSnapshot>> operatorStateFor(
    const std::vector<const OperatorState*>& old, int parallelism) {
  std::vector<std::vector<state::OperatorStateHandle>> handles(old.size());
  for (size_t i = 0; i < old.size(); ++i) {
    const state::OperatorStateSnapshot& snapshot = old[i]->operator_state;
    if (snapshot.stream.empty()) continue;
    state::StreamHandle stream;
    stream.kind = state::StreamHandle::Kind::kInline;
    stream.name = std::to_string(i);
    stream.bytes = snapshot.stream;
    stream.size = static_cast<int64_t>(snapshot.stream.size());
    handles[i].push_back({snapshot.states, std::move(stream)});
  }
  std::vector<std::vector<state::OperatorStateSnapshot>> dealt_out;
  for (auto& mine : checkpoint::repartitionOperatorState(handles, parallelism)) {
    std::vector<state::OperatorStateSnapshot>& snapshots = dealt_out.emplace_back();
    for (state::OperatorStateHandle& handle : mine) {
      snapshots.push_back({std::move(handle.states), std::move(handle.stream.bytes)});
    }
  }
  return dealt_out;
}

}  // namespace

ScratchDirectory::ScratchDirectory() {
  path_ = (std::filesystem::temp_directory_path() / "wiesel-harness-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::runtime_error("cannot make a directory like " + path_);
  }
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDirectory::freshPath() { return path_ + "/" + std::to_string(given_++); }

void restoreFrom(int64_t checkpoint_id, const std::vector<std::vector<OperatorState>>& subtasks,
                 SubtaskSetup& setup, ScratchDirectory& scratch) {
  if (!hasState(subtasks)) return;
  setup.restored_checkpoint = checkpoint_id;
  const auto range =
      state::keyGroupRangeFor(setup.subtask, setup.parallelism, setup.max_parallelism);
  for (size_t node = 0; node < subtasks.front().size(); ++node) {
    std::vector<const OperatorState*> old;
    for (const std::vector<OperatorState>& states : subtasks) old.push_back(&states[node]);
    setup.has_saved_state.push_back(
        std::ranges::any_of(old, [](const OperatorState* one) { return one->hasState(); }));
    setup.keyed_state.push_back(keyedStateFor(range, old, scratch));
    setup.operator_state.push_back(operatorStateFor(old, setup.parallelism)[setup.subtask]);
  }
}

std::unique_ptr<state::ByteStateStore> openScratchStore(state::ByteStoreRequest request,
                                                        ScratchDirectory& scratch) {
  request.directory = scratch.freshPath();
  auto store = state::openRocksDbStore(std::move(request));
  if (!store.ok()) throw state::StateError(std::string(store.status().message()));
  return *std::move(store);
}

}  // namespace wiesel::testing
