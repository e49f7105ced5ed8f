#include "state/rocksdb/open_rocksdb_store.h"

namespace wiesel::state {

absl::StatusOr<std::unique_ptr<ByteStateStore>> openRocksDbStore(std::string, KeyGroupRange,
                                                                 std::vector<KeyedRestore>) {
  return absl::UnimplementedError("state.backend.type rocksdb is not in this version");
}

}  // namespace wiesel::state
