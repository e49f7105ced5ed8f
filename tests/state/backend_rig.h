#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "state/keyed_snapshot.h"
#include "state/keyed_state_backend.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::testing {

enum class BackendKind { kHeap, kRocksDb };

/// "Heap" or "RocksDb".
std::string backendName(BackendKind kind);
inline void PrintTo(BackendKind kind, std::ostream* out) { *out << backendName(kind); }

/// Makes keyed backends of one kind in a directory of its own, also out of the snapshots of others.
class BackendRig {
 public:
  BackendRig(BackendKind kind, int max_parallelism)
      : kind_(kind), max_parallelism_(max_parallelism) {}

  BackendKind kind() const { return kind_; }
  int maxParallelism() const { return max_parallelism_; }
  const TemporaryDirectory& directory() const { return directory_; }
  state::KeyGroupRange wholeRange() const { return {0, max_parallelism_ - 1}; }

  /// A backend for `range` that holds what the snapshots have of it; they stay as they are. Throws
  /// StateError when the store cannot be opened.
  template <class K>
  std::unique_ptr<state::TypedKeyedStateBackend<K>> make(
      state::KeyGroupRange range, const std::vector<state::KeyedSnapshot>& snapshots = {}) {
    return state::makeKeyedStateBackend<K>(setUp(range, snapshots));
  }
  /// The same for all key groups.
  template <class K>
  std::unique_ptr<state::TypedKeyedStateBackend<K>> makeWhole(
      const std::vector<state::KeyedSnapshot>& snapshots = {}) {
    return make<K>(wholeRange(), snapshots);
  }

  state::KeyedBackendSetup setUp(state::KeyGroupRange range,
                                 const std::vector<state::KeyedSnapshot>& snapshots);

 private:
  state::KeyedRestore copyOf(const state::KeyedSnapshot& snapshot);

  const BackendKind kind_;
  const int max_parallelism_;
  TemporaryDirectory directory_;
  int directories_ = 0;
};

}  // namespace wiesel::testing
