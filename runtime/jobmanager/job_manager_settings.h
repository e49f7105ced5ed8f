#pragma once

#include "common/config/configuration.h"
#include "common/filesystem/file_system.h"
#include "runtime/jobmanager/dispatcher.h"
#include "runtime/jobmanager/job_master.h"
#include "runtime/resource/resource_manager.h"

namespace wiesel::runtime {

/// What a JobManager, or an embedded cluster, takes from its configuration.
struct JobManagerSettings {
  ResourceSettings resources;
  DispatcherSettings dispatcher;
};

/// Reads heartbeat.*, slot.request.timeout, cluster.evenly-spread-out-slots,
/// task.cancellation.timeout, web.exception-history-size and jobstore.*. Throws ConfigurationError
/// for a malformed value, and for a heartbeat.timeout that is not over heartbeat.interval.
JobManagerSettings jobManagerSettingsFrom(const Configuration& configuration);

/// Checkpoints go below execution.checkpointing.dir, or stay in memory for jobs without one.
/// `files` must outlive the factory and what it makes.
CheckpointStorageFactory checkpointStorageIn(FileSystem& files);

}  // namespace wiesel::runtime
