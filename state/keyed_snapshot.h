#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "state/key_group.h"

namespace wiesel::state {

/// The keyed state of one subtask at a barrier, as the backend hands it over in the task thread.
/// What is left to do, uploading it, needs nothing of the backend.
struct KeyedSnapshot {
  KeyGroupRange range{0, -1};
  /// Heap: header and entries of the whole range. Database: the header alone.
  std::string stream;
  /// Heap: where each key group of the range begins in `stream`.
  std::vector<int64_t> offsets;
  /// Database: a local directory that holds its files; whoever uploads removes it. Empty: heap.
  std::string directory;
};

/// One piece of keyed state to restore: a snapshot above, fetched and verified.
struct KeyedRestore {
  KeyGroupRange range{0, -1};
  std::shared_ptr<const std::string> stream;
  std::vector<int64_t> offsets;
  std::string directory;  // Database: a local copy that the backend may take over.
};

}  // namespace wiesel::state
