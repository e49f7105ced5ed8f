#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "state/bytes/byte_state_store.h"

namespace wiesel::state {

/// Opens a RocksDB database in the directory of `request` and fills it with what was restored.
///
/// Errors: Internal with RocksDB's message and the path; DataLoss or InvalidArgument when what was
///         restored is damaged or not that of a database. Nothing is left on the disk then.
/// Flink:  RocksDBKeyedStateBackendBuilder (1.20).
absl::StatusOr<std::unique_ptr<ByteStateStore>> openRocksDbStore(ByteStoreRequest request);

}  // namespace wiesel::state
