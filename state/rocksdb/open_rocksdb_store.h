#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "state/bytes/byte_state_store.h"
#include "state/key_group.h"
#include "state/keyed_snapshot.h"

namespace wiesel::state {

/// Opens a database in `directory`, which is made anew and removed when the store is destroyed, and
/// fills it with what of `restored` belongs to the key groups of `range`. The directories of
/// `restored` are taken over.
///
/// Errors: Internal with RocksDB's message and the path; InvalidArgument when restored bytes are
/// not
///         those of a database.
/// Flink:  RocksDBKeyedStateBackendBuilder, RocksDBIncrementalRestoreOperation (1.20).
absl::StatusOr<std::unique_ptr<ByteStateStore>> openRocksDbStore(
    std::string directory, KeyGroupRange range, std::vector<KeyedRestore> restored);

}  // namespace wiesel::state
