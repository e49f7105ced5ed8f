#include "state/rocksdb/rocksdb_options.h"

#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "state/rocksdb/append_merge_operator.h"
#include "state/rocksdb/unsynced_file_system.h"

namespace wiesel::state {
namespace {

/// Flushes and compactions that run at a time, of all databases of the process together.
constexpr int kBackgroundJobs = 2;
constexpr int kFileOpeningThreads = 1;  // More would be started anew at every opening.
constexpr double kBloomBitsPerKey = 10;
constexpr double kMemtableBloomShare = 0.02;  // Of a write buffer.
/// One thread uses a store: few shards, so that each is large.
constexpr int kCacheShardBits = 1;

rocksdb::DBOptions databaseOptions(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::DBOptions options;
  options.env = unsyncedEnvironment();
  options.create_if_missing = true;
  options.max_open_files = -1;
  options.max_background_jobs = kBackgroundJobs;
  options.max_file_opening_threads = kFileOpeningThreads;
  options.write_buffer_manager =
      std::make_shared<rocksdb::WriteBufferManager>(kWriteBuffersBytes, cache);
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  options.avoid_flush_during_shutdown = true;
  options.skip_stats_update_on_db_open = true;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.info_log_level = rocksdb::InfoLogLevel::ERROR_LEVEL;
  options.keep_log_file_num = 1;
  return options;
}

rocksdb::ColumnFamilyOptions columnOptions(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBitsPerKey));
  table.checksum = rocksdb::kCRC32c;
  table.format_version = 5;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.merge_operator = std::make_shared<AppendMergeOperator>();
  options.write_buffer_size = kWriteBuffersBytes;
  options.compression = rocksdb::kSnappyCompression;
  // A key that is not in a write buffer costs no search of it.
  options.memtable_whole_key_filtering = true;
  options.memtable_prefix_bloom_size_ratio = kMemtableBloomShare;
  return options;
}

}  // namespace

RocksDbOptions::RocksDbOptions() {
  rocksdb::LRUCacheOptions cache_options;
  // Write buffers are charged to the cache, so that it shrinks while they are large.
  cache_options.capacity = kBlockCacheBytes + kWriteBuffersBytes;
  cache_options.num_shard_bits = kCacheShardBits;
  const std::shared_ptr<rocksdb::Cache> cache = rocksdb::NewLRUCache(cache_options);
  database = databaseOptions(cache);
  column = columnOptions(cache);
}

rocksdb::WriteOptions writeWithoutLog() {
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  return options;
}

}  // namespace wiesel::state
