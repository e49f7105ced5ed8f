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

/// Gives the subtask that `setup` is about its share of a checkpoint of all subtasks of a program,
/// dealt out as a job does it; of a checkpoint without any state nothing is restored. A database's
/// files are copied below `scratch`, so that a snapshot can be restored several times.
void restoreFrom(int64_t checkpoint_id, const std::vector<std::vector<OperatorState>>& subtasks,
                 SubtaskSetup& setup, ScratchDirectory& scratch);

/// Opens a RocksDB database in a fresh directory. Throws state::StateError.
std::unique_ptr<state::ByteStateStore> openScratchStore(state::ByteStoreRequest request,
                                                        ScratchDirectory& scratch);

}  // namespace wiesel::testing
