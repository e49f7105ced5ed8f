#pragma once

#include "common/config/configuration.h"
#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// What the configuration says about checkpoints.
/// Flink: CheckpointConfig, CheckpointCoordinatorConfiguration (1.20).
proto::CheckpointSettings checkpointSettings(const Configuration& configuration);

/// What the configuration says about restarts. Flink: RestartBackoffTimeStrategyFactoryLoader
/// (1.20).
proto::RestartSettings restartSettings(const Configuration& configuration);

}  // namespace wiesel::runtime
