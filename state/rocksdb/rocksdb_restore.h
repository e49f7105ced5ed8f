#pragma once

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "state/bytes/byte_state_store.h"
#include "state/keyed_state_header.h"
#include "state/rocksdb/rocksdb_database.h"

namespace wiesel::state {

/// A database that holds what was restored, and what it is.
struct RestoredDatabase {
  std::unique_ptr<RocksDbDatabase> database;
  std::optional<KeyedStateHeader> header;  // None when nothing was restored.
};

/// Makes the database of `request`. A single restored piece with the same key groups becomes it as
/// it is; what belongs to us of several or wider pieces is copied into a new one.
///
/// Errors: Internal with RocksDB's text, DataLoss when a piece is not what its header says,
///         InvalidArgument when two pieces do not fit each other.
/// Flink:  RocksDBIncrementalRestoreOperation (1.20).
absl::StatusOr<RestoredDatabase> restoreDatabase(const ByteStoreRequest& request);

}  // namespace wiesel::state
