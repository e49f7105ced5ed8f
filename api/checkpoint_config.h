#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "api/environment_state.h"
#include "common/config/checkpointing_options.h"

namespace wiesel {

/// What becomes of checkpoints when a job is cancelled or fails. Flink:
/// ExternalizedCheckpointRetention (1.20).
enum class ExternalizedCheckpointRetention : uint8_t {
  NO_EXTERNALIZED_CHECKPOINTS,
  RETAIN_ON_CANCELLATION,
  DELETE_ON_CANCELLATION,
};

/// How a job takes checkpoints. A handle: it writes into the configuration of the environment that
/// it is from, and copies mean the same one.
///
/// Errors: std::invalid_argument, naming the call.
/// Flink:  CheckpointConfig (1.20). Unaligned checkpoints are missing.
class CheckpointConfig {
 public:
  explicit CheckpointConfig(std::shared_ptr<internal::EnvironmentState> state)
      : state_(std::move(state)) {}

  /// From the start of one checkpoint to that of the next; at least 10 ms.
  CheckpointConfig& setCheckpointInterval(std::chrono::milliseconds interval);
  /// -1 ms when checkpoints are off.
  std::chrono::milliseconds getCheckpointInterval() const;
  bool isCheckpointingEnabled() const { return getCheckpointInterval().count() > 0; }

  CheckpointConfig& setCheckpointingConsistencyMode(CheckpointingMode mode);
  CheckpointingMode getCheckpointingConsistencyMode() const;
  /// The old name of the two above.
  CheckpointConfig& setCheckpointingMode(CheckpointingMode mode) {
    return setCheckpointingConsistencyMode(mode);
  }
  CheckpointingMode getCheckpointingMode() const { return getCheckpointingConsistencyMode(); }

  /// A checkpoint that takes longer is given up; at least 10 ms.
  CheckpointConfig& setCheckpointTimeout(std::chrono::milliseconds timeout);
  std::chrono::milliseconds getCheckpointTimeout() const;

  /// From the end of one checkpoint to the start of the next, at least.
  CheckpointConfig& setMinPauseBetweenCheckpoints(std::chrono::milliseconds pause);
  std::chrono::milliseconds getMinPauseBetweenCheckpoints() const;

  /// At least 1.
  CheckpointConfig& setMaxConcurrentCheckpoints(int count);
  int getMaxConcurrentCheckpoints() const;

  /// How many checkpoints in a row may fail before the job does.
  CheckpointConfig& setTolerableCheckpointFailureNumber(int count);
  int getTolerableCheckpointFailureNumber() const;

  CheckpointConfig& setExternalizedCheckpointRetention(ExternalizedCheckpointRetention retention);
  ExternalizedCheckpointRetention getExternalizedCheckpointRetention() const;

  /// A path or file: URI.
  CheckpointConfig& setCheckpointStorage(const std::string& directory);

 private:
  std::shared_ptr<internal::EnvironmentState> state_;  // Shared by all handles of one program.
};

}  // namespace wiesel
