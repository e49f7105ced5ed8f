#pragma once

#include <cstddef>
#include <memory>

#include "rocksdb/cache.h"
#include "rocksdb/options.h"
#include "rocksdb/write_buffer_manager.h"

namespace wiesel::state {

/// The memory of one store, until managed memory is divided among them: blocks read from files, and
/// the write buffers of all columns together. It is taken as it is needed.
inline constexpr size_t kBlockCacheBytes = size_t{64} << 20;
inline constexpr size_t kWriteBuffersBytes = size_t{64} << 20;

/// How databases of keyed state are opened: as Flink's predefined options DEFAULT, with a Bloom
/// filter, and so that no call waits for the disk to be durable. Files are written in forms that
/// RocksDB 6.20, the one in Flink 1.20, can read.
///
/// Flink: PredefinedOptions.DEFAULT, RocksDBResourceContainer (1.20).
struct RocksDbOptions {
  RocksDbOptions();

  rocksdb::DBOptions database;
  rocksdb::ColumnFamilyOptions column;
};

/// Of every write: there is no log, what is not in a checkpoint may be lost.
rocksdb::WriteOptions writeWithoutLog();

}  // namespace wiesel::state
