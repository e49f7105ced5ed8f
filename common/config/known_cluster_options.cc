#include <chrono>
#include <cstdint>

#include "common/config/cluster_options.h"
#include "common/config/high_availability_options.h"
#include "common/config/known_option_rows.h"
#include "common/config/memory_options.h"
#include "common/config/rest_options.h"

namespace wiesel::internal {
namespace {

using std::chrono::milliseconds;

void addProcessRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  used(kJobManagerAddress),
                  used(kJobManagerPort),
                  used(kJobManagerBindHost),
                  used(kJobManagerBindPort),
                  unused(kFailoverStrategy),
                  accepted<std::string>("jobmanager.archive.fs.dir"),
                  used(kJobStoreExpirationSeconds),
                  used(kJobStoreMaxCapacity),
                  used(kTaskSlots),
                  used(kTaskManagerHost),
                  used(kTaskManagerBindHost),
                  unused(kTaskManagerPort),
                  unused(kTaskManagerDataPort),
                  used(kTaskManagerResourceId),
                  used(kHeartbeatInterval),
                  used(kHeartbeatTimeout),
                  unused(kHeartbeatRpcFailureThreshold),
                  used(kSlotRequestTimeout),
                  used(kTaskCancellationTimeout),
                  unused(kSlotIdleTimeout),
                  used(kEvenlySpreadOutSlots),
                  used(kTemporaryDirectories),
                  usedAsFallback<std::string>("process.working-dir"),
                  used(kJobManagerWorkingDirectory),
                  used(kTaskManagerWorkingDirectory),
                  used(kLogDirectory),
                  unused(kLogMaxFiles),
                  used(kPidDirectory),
                  unused(kDefaultFileScheme),
                  accepted<int32_t>("blob.server.port", "0"),
                  accepted<std::string>("blob.storage.directory"),
                  accepted<MemorySize>("blob.offload.minsize", "1 mb"),
                  accepted<std::string>("cluster.intercept-user-system-exit", "DISABLED"),
                  accepted<bool>("cluster.processes.halt-on-fatal-error", "false"),
              });
}

void addRestRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  used(kRestAddress),
                  used(kRestPort),
                  used(kRestBindAddress),
                  used(kRestBindPort),
                  accepted<milliseconds>("rest.await-leader-timeout", "30 s"),
                  accepted<milliseconds>("rest.idleness-timeout", "5 min"),
                  accepted<milliseconds>("rest.connection-timeout", "15 s"),
                  unused(kRestAsyncStoreDuration),
                  unused(kRestRetryAttempts),
                  unused(kRestRetryDelay),
                  accepted<int32_t>("rest.client.max-content-length", "104857600"),
                  unused(kRestServerMaxContentLengthBytes),
                  accepted<bool>("rest.flamegraph.enabled", "false"),
                  accepted<bool>("rest.profiling.enabled", "false"),
                  accepted<int32_t>("rest.cache.checkpoint-statistics.size", "1000"),
                  accepted<milliseconds>("rest.cache.checkpoint-statistics.timeout", "3 s"),
                  unused(kWebSubmitEnable),
                  used(kWebCancelEnable),
                  unused(kWebRescaleEnable),
                  used(kWebRefreshInterval),
                  used(kWebAllowOrigin),
                  unused(kWebCheckpointsHistory),
                  used(kWebExceptionHistorySize),
                  accepted<int32_t>("web.history", "5"),
                  unused(kWebLogPath),
                  accepted<std::string>("web.tmpdir", "/tmp"),
                  accepted<std::string>("web.upload.dir"),
                  accepted<milliseconds>("web.timeout", "10 min"),
              });
}

void addMemoryRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(),
              {
                  carried(kTaskManagerProcessMemory),
                  carried(kTaskManagerFlinkMemory),
                  carried(kManagedMemorySize),
                  carried(kManagedMemoryFraction),
                  unused(kNetworkMemoryMin),
                  unused(kNetworkMemoryMax),
                  unused(kNetworkMemoryFraction),
                  unused(kMemorySegmentSize),
                  accepted<MemorySize>("taskmanager.memory.task.heap.size"),
                  accepted<MemorySize>("taskmanager.memory.task.off-heap.size", "0 bytes"),
                  accepted<MemorySize>("taskmanager.memory.framework.heap.size", "128 mb"),
                  accepted<MemorySize>("taskmanager.memory.framework.off-heap.size", "128 mb"),
                  accepted<std::string>("taskmanager.memory.framework.*"),
                  accepted<MemorySize>("taskmanager.memory.jvm-metaspace.size", "256 mb"),
                  accepted<MemorySize>("taskmanager.memory.jvm-overhead.min", "192 mb"),
                  accepted<MemorySize>("taskmanager.memory.jvm-overhead.max", "1 gb"),
                  accepted<double>("taskmanager.memory.jvm-overhead.fraction", "0.1"),
                  accepted<int32_t>("taskmanager.network.memory.buffers-per-channel", "2"),
                  accepted<int32_t>("taskmanager.network.memory.floating-buffers-per-gate", "8"),
                  accepted<MemorySize>("jobmanager.memory.process.size"),
                  accepted<MemorySize>("jobmanager.memory.flink.size"),
                  accepted<MemorySize>("jobmanager.memory.heap.size"),
                  accepted<MemorySize>("jobmanager.memory.off-heap.size", "128 mb"),
                  accepted<MemorySize>("jobmanager.memory.jvm-metaspace.size", "256 mb"),
                  accepted<MemorySize>("jobmanager.memory.jvm-overhead.min", "192 mb"),
                  accepted<MemorySize>("jobmanager.memory.jvm-overhead.max", "1 gb"),
                  accepted<double>("jobmanager.memory.jvm-overhead.fraction", "0.1"),
              });
}

void addHighAvailabilityRows(std::vector<KnownOption>& rows) {
  rows.insert(rows.end(), {
                              unused(kHighAvailability),
                              unused(kHighAvailabilityStorageDirectory),
                              unused(kHighAvailabilityClusterId),
                              accepted<PortRange>("high-availability.jobmanager.port", "0"),
                              accepted<std::string>("high-availability.zookeeper.*"),
                          });
}

}  // namespace

void addClusterRows(std::vector<KnownOption>& rows) {
  addProcessRows(rows);
  addRestRows(rows);
  addMemoryRows(rows);
  addHighAvailabilityRows(rows);
}

}  // namespace wiesel::internal
