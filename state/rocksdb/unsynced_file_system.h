#pragma once

#include "rocksdb/env.h"

namespace wiesel::state {

/// The machine's files and RocksDB's default threads, shared by all databases of the process,
/// without waiting for the disk: a database dies with its task, and what a checkpoint takes from it
/// is synced where it is stored.
///
/// Threads: thread-safe. Lives as long as the process.
rocksdb::Env* unsyncedEnvironment();

}  // namespace wiesel::state
