#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/testing/program_subtask.h"

namespace wiesel::testing {

/// A directory below the system's temporary one, removed in the end.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  /// A path in it that no call has given before.
  std::string freshPath();

 private:
  std::string path_;
  int given_ = 0;
};

/// What each of `parallelism` new subtasks gets of the keyed state of one operator; a database's
/// files are copied below `scratch`, so that a snapshot can be restored several times.
std::vector<state::KeyedRestore> keyedStateFor(const state::KeyGroupRange& range,
                                               const std::vector<const OperatorState*>& old,
                                               ScratchDirectory& scratch);

/// What each of `parallelism` new subtasks gets of the operator state, dealt out as a job does it.
std::vector<std::vector<state::OperatorStateSnapshot>> operatorStateFor(
    const std::vector<const OperatorState*>& old, int parallelism);

/// Opens a RocksDB database in a fresh directory. Throws state::StateError.
std::unique_ptr<state::ByteStateStore> openScratchStore(state::ByteStoreRequest request,
                                                        ScratchDirectory& scratch);

}  // namespace wiesel::testing
