#include <chrono>
#include <cstdint>
#include <utility>

#include "common/config/checkpointing_options.h"
#include "common/config/known_option_rows.h"
#include "common/config/pipeline_options.h"
#include "common/config/restart_options.h"
#include "common/config/state_options.h"

namespace wiesel {

// Enums of keys that have no constant, for their checks only.
enum class TimerServiceFactory { kHeap, kRocksDb };

template <>
struct EnumNames<TimerServiceFactory> {
  static constexpr std::pair<std::string_view, TimerServiceFactory> kNames[] = {
      {"ROCKSDB", TimerServiceFactory::kRocksDb}, {"HEAP", TimerServiceFactory::kHeap}};
};

enum class VertexDescriptionMode { kTree, kCascading };

template <>
struct EnumNames<VertexDescriptionMode> {
  static constexpr std::pair<std::string_view, VertexDescriptionMode> kNames[] = {
      {"TREE", VertexDescriptionMode::kTree}, {"CASCADING", VertexDescriptionMode::kCascading}};
};

namespace internal {
namespace {

void addPipelineRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  used(kDefaultParallelism),
                  used(kMaxParallelism),
                  used(kPipelineName),
                  unused(kObjectReuse),
                  used(kOperatorChaining),
                  used(kAutoWatermarkInterval),
                  used(kAutoGenerateUids),
                  used(kGlobalJobParameters),
                  usedBelow("pipeline.global-job-parameters.*"),
                  accepted<VertexDescriptionMode>("pipeline.vertex-description-mode", "TREE"),
                  accepted<bool>("pipeline.vertex-name-include-index-prefix", "false"),
                  accepted<bool>("pipeline.generic-types", "true"),
                  accepted<bool>("pipeline.force-avro", "false"),
                  accepted<bool>("pipeline.force-kryo", "false"),
                  accepted<std::string>("pipeline.serialization-config"),
                  accepted<std::string>("pipeline.serialization-config.*"),
                  accepted<std::string>("pipeline.registered-kryo-types"),
                  accepted<std::string>("pipeline.registered-pojo-types"),
                  accepted<std::string>("pipeline.jars"),
                  accepted<std::string>("pipeline.classpaths"),
                  accepted<std::string>("pipeline.closure-cleaner-level", "RECURSIVE"),
                  checked(kRuntimeMode),
                  used(kBufferTimeout),
                  used(kBufferTimeoutEnabled),
                  unused(kExecutionAttached),
                  used(kShutdownOnAttachedExit),
                  accepted<std::string>("execution.target"),
              });
}

void addCheckpointingRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  used(kCheckpointingInterval),
                  used(kCheckpointingMode),
                  used(kCheckpointingTimeout),
                  used(kCheckpointingMinPause),
                  used(kMaxConcurrentCheckpoints),
                  used(kTolerableFailedCheckpoints),
                  used(kCheckpointRetention),
                  used(kCheckpointDirectory),
                  unused(kSavepointDirectory),
                  used(kRetainedCheckpoints),
                  unused(kCheckpointStorage),
                  unused(kIncrementalCheckpoints),
                  unused(kCheckpointCreateSubdirectory),
                  used(kCheckpointInlineThreshold),
                  unused(kSnapshotCompression),
                  unused(kCheckpointsAfterTasksFinish),
                  unused(kUnalignedCheckpoints),
                  accepted<std::string>("execution.checkpointing.unaligned.*"),
                  unused(kAlignedCheckpointTimeout),
                  accepted<bool>("execution.checkpointing.local-backup.enabled", "false",
                                 {"state.backend.local-recovery"}),
                  accepted<std::string>("execution.checkpointing.local-backup.dirs"),
                  accepted<std::string>("execution.checkpointing.file-merging.*"),
                  accepted<MemorySize>("execution.checkpointing.write-buffer-size", "4 kb"),
                  accepted<bool>("execution.checkpointing.cleaner.parallel-mode", "true"),
                  used(kStateRecoveryPath),
                  used(kIgnoreUnclaimedState),
                  unused(kClaimMode),
              });
}

void addStateRows(std::vector<KnownOption>& rows) {
  rows.insert(
      rows.end(),
      {
          used(kStateBackend),
          unused(kRocksDbLocalDirectory),
          unused(kRocksDbMemoryManaged),
          unused(kRocksDbMemoryFixedPerSlot),
          unused(kRocksDbMemoryFixedPerTaskManager),
          unused(kRocksDbWriteBufferRatio),
          unused(kRocksDbHighPriorityPoolRatio),
          unused(kRocksDbBlockCacheSize),
          unused(kRocksDbBlockSize),
          unused(kRocksDbWriteBufferSize),
          unused(kRocksDbWriteBufferCount),
          unused(kRocksDbWriteBuffersToMerge),
          unused(kRocksDbThreads),
          unused(kRocksDbMaxOpenFiles),
          unused(kRocksDbUseBloomFilter),
          unused(kRocksDbWriteBatchSize),
          unused(kRocksDbTransferThreads),
          accepted<std::string>("state.backend.rocksdb.predefined-options", "DEFAULT"),
          accepted<std::string>("state.backend.rocksdb.compaction.style", "LEVEL"),
          accepted<std::string>("state.backend.rocksdb.compaction.level.*"),
          accepted<std::string>("state.backend.rocksdb.compression.per.level",
                                "SNAPPY_COMPRESSION"),
          accepted<TimerServiceFactory>("state.backend.rocksdb.timer-service.factory", "ROCKSDB"),
          accepted<bool>("state.backend.rocksdb.metrics.*"),
      });
}

void addRestartRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(), {
                              used(kRestartStrategy),
                              used(kFixedDelayAttempts),
                              used(kFixedDelayDelay),
                              used(kFailureRateMaxFailures),
                              used(kFailureRateInterval),
                              used(kFailureRateDelay),
                              used(kExponentialDelayInitialBackoff),
                              used(kExponentialDelayMaxBackoff),
                              used(kExponentialDelayMultiplier),
                              used(kExponentialDelayResetThreshold),
                              used(kExponentialDelayJitter),
                              used(kExponentialDelayAttempts),
                          });
}

}  // namespace

void addJobRows(std::vector<KnownOption>& rows) {
  addPipelineRows(rows);
  addCheckpointingRows(rows);
  addStateRows(rows);
  addRestartRows(rows);
}

}  // namespace internal
}  // namespace wiesel
