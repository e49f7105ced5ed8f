#include "runtime/jobmanager/job_manager_settings.h"

#include <chrono>
#include <memory>
#include <string>

#include "checkpoint/storage/file_checkpoint_storage.h"
#include "checkpoint/storage/memory_checkpoint_storage.h"
#include "common/config/cluster_options.h"
#include "common/config/rest_options.h"
#include "common/ids.h"

namespace wiesel::runtime {

JobManagerSettings jobManagerSettingsFrom(const Configuration& configuration) {
  const int64_t interval_ms = configuration.get(kHeartbeatInterval).count();
  const int64_t timeout_ms = configuration.get(kHeartbeatTimeout).count();
  if (interval_ms < 1) {
    throw ConfigurationError(kHeartbeatInterval.key, std::to_string(interval_ms) + " ms",
                             "a duration over 0");
  }
  if (timeout_ms <= interval_ms) {
    throw ConfigurationError(kHeartbeatTimeout.key, std::to_string(timeout_ms) + " ms",
                             "a duration over heartbeat.interval");
  }
  JobManagerSettings settings;
  settings.resources.heartbeat_interval_ms = interval_ms;
  settings.resources.heartbeat_timeout_ms = timeout_ms;
  settings.resources.spread =
      configuration.get(kEvenlySpreadOutSlots) ? SlotSpread::kEvenly : SlotSpread::kFill;
  JobMasterSettings& jobs = settings.dispatcher.jobs;
  jobs.workers.heartbeat_interval_ms = interval_ms;
  jobs.workers.heartbeat_timeout_ms = timeout_ms;
  jobs.scheduler.slot_request_timeout_ms = configuration.get(kSlotRequestTimeout).count();
  jobs.scheduler.cancellation_timeout_ms = configuration.get(kTaskCancellationTimeout);
  jobs.scheduler.exception_history_size = configuration.get(kWebExceptionHistorySize);
  settings.dispatcher.expiration_ms = configuration.get(kJobStoreExpirationSeconds) * 1000;
  settings.dispatcher.max_finished_jobs = configuration.get(kJobStoreMaxCapacity);
  return settings;
}

CheckpointStorageFactory checkpointStorageIn(FileSystem& files) {
  return [&files](const proto::JobGraph& graph) -> std::shared_ptr<checkpoint::CheckpointStorage> {
    const std::string& directory = graph.checkpointing().directory();
    if (directory.empty()) return std::make_shared<checkpoint::MemoryCheckpointStorage>(files);
    return std::make_shared<checkpoint::FileCheckpointStorage>(
        files, directory, Id128::fromHex(graph.job_id()).value_or(Id128()));
  };
}

}  // namespace wiesel::runtime
