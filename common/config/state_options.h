#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "common/config/config_option.h"

namespace wiesel {

enum class StateBackendType { kHashMap, kRocksDb };

/// Flink's factory classes are taken as the backends that they make.
template <>
struct EnumNames<StateBackendType> {
  static constexpr std::pair<std::string_view, StateBackendType> kNames[] = {
      {"hashmap", StateBackendType::kHashMap},
      {"rocksdb", StateBackendType::kRocksDb},
      {"org.apache.flink.runtime.state.hashmap.HashMapStateBackendFactory",
       StateBackendType::kHashMap},
      {"org.apache.flink.contrib.streaming.state.EmbeddedRocksDBStateBackendFactory",
       StateBackendType::kRocksDb}};
};

inline constexpr ConfigOption<StateBackendType> kStateBackend{
    "state.backend.type", StateBackendType::kHashMap, {"state.backend"}};

/// Where working copies of RocksDB live; unset: below the process's working folder.
inline constexpr OptionalConfigOption<std::string> kRocksDbLocalDirectory{
    "state.backend.rocksdb.localdir"};

// One memory budget for block cache and write buffers, shared by all instances of a slot.
inline constexpr ConfigOption<bool> kRocksDbMemoryManaged{"state.backend.rocksdb.memory.managed",
                                                          true};
inline constexpr OptionalConfigOption<MemorySize> kRocksDbMemoryFixedPerSlot{
    "state.backend.rocksdb.memory.fixed-per-slot"};
inline constexpr OptionalConfigOption<MemorySize> kRocksDbMemoryFixedPerTaskManager{
    "state.backend.rocksdb.memory.fixed-per-tm"};
inline constexpr ConfigOption<double> kRocksDbWriteBufferRatio{
    "state.backend.rocksdb.memory.write-buffer-ratio", 0.5};
inline constexpr ConfigOption<double> kRocksDbHighPriorityPoolRatio{
    "state.backend.rocksdb.memory.high-prio-pool-ratio", 0.1};

// RocksDB's own options. An unset one leaves what RocksDB or the budget above says.
inline constexpr OptionalConfigOption<MemorySize> kRocksDbBlockCacheSize{
    "state.backend.rocksdb.block.cache-size"};
inline constexpr OptionalConfigOption<MemorySize> kRocksDbBlockSize{
    "state.backend.rocksdb.block.blocksize"};
inline constexpr OptionalConfigOption<MemorySize> kRocksDbWriteBufferSize{
    "state.backend.rocksdb.writebuffer.size"};
inline constexpr OptionalConfigOption<int32_t> kRocksDbWriteBufferCount{
    "state.backend.rocksdb.writebuffer.count"};
inline constexpr OptionalConfigOption<int32_t> kRocksDbWriteBuffersToMerge{
    "state.backend.rocksdb.writebuffer.number-to-merge"};
inline constexpr ConfigOption<int32_t> kRocksDbThreads{"state.backend.rocksdb.thread.num", 2};
/// Open files of one instance; -1: no limit.
inline constexpr ConfigOption<int32_t> kRocksDbMaxOpenFiles{"state.backend.rocksdb.files.open", -1};
inline constexpr ConfigOption<bool> kRocksDbUseBloomFilter{"state.backend.rocksdb.use-bloom-filter",
                                                           false};
/// Size of the write batches of a restore.
inline constexpr ConfigOption<MemorySize> kRocksDbWriteBatchSize{
    "state.backend.rocksdb.write-batch-size", MemorySize::ofMebibytes(2)};
/// Threads that move files of one stateful operator.
inline constexpr ConfigOption<int32_t> kRocksDbTransferThreads{
    "state.backend.rocksdb.checkpoint.transfer.thread.num", 4};

}  // namespace wiesel
