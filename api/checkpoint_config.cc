#include "api/checkpoint_config.h"

#include <stdexcept>
#include <string_view>

namespace wiesel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLeastInterval(10);  // Flink: CheckpointCoordinatorConfiguration (1.20).

template <class Value>
void requireAtLeast(std::string_view call, Value value, Value least, std::string_view unit) {
  if (value >= least) return;
  throw std::invalid_argument(std::string(call) + "() needs at least " + std::to_string(least) +
                              std::string(unit) + ", got " + std::to_string(value) +
                              std::string(unit));
}

void requireAtLeast(std::string_view call, milliseconds value, milliseconds least) {
  requireAtLeast(call, value.count(), least.count(), " ms");
}

constexpr std::pair<ExternalizedCheckpointRetention, CheckpointRetention> kRetentions[] = {
    {ExternalizedCheckpointRetention::NO_EXTERNALIZED_CHECKPOINTS, CheckpointRetention::kNone},
    {ExternalizedCheckpointRetention::RETAIN_ON_CANCELLATION,
     CheckpointRetention::kRetainOnCancellation},
    {ExternalizedCheckpointRetention::DELETE_ON_CANCELLATION,
     CheckpointRetention::kDeleteOnCancellation}};

}  // namespace

CheckpointConfig& CheckpointConfig::setCheckpointInterval(milliseconds interval) {
  requireAtLeast("setCheckpointInterval", interval, kLeastInterval);
  state_->configuration.set(kCheckpointingInterval, interval);
  return *this;
}

milliseconds CheckpointConfig::getCheckpointInterval() const {
  return state_->configuration.get(kCheckpointingInterval).value_or(milliseconds(-1));
}

CheckpointConfig& CheckpointConfig::setCheckpointingConsistencyMode(CheckpointingMode mode) {
  state_->configuration.set(kCheckpointingMode, mode);
  return *this;
}

CheckpointingMode CheckpointConfig::getCheckpointingConsistencyMode() const {
  return state_->configuration.get(kCheckpointingMode);
}

CheckpointConfig& CheckpointConfig::setCheckpointTimeout(milliseconds timeout) {
  requireAtLeast("setCheckpointTimeout", timeout, kLeastInterval);
  state_->configuration.set(kCheckpointingTimeout, timeout);
  return *this;
}

milliseconds CheckpointConfig::getCheckpointTimeout() const {
  return state_->configuration.get(kCheckpointingTimeout);
}

CheckpointConfig& CheckpointConfig::setMinPauseBetweenCheckpoints(milliseconds pause) {
  requireAtLeast("setMinPauseBetweenCheckpoints", pause, milliseconds(0));
  state_->configuration.set(kCheckpointingMinPause, pause);
  return *this;
}

milliseconds CheckpointConfig::getMinPauseBetweenCheckpoints() const {
  return state_->configuration.get(kCheckpointingMinPause);
}

CheckpointConfig& CheckpointConfig::setMaxConcurrentCheckpoints(int count) {
  requireAtLeast("setMaxConcurrentCheckpoints", count, 1, "");
  state_->configuration.set(kMaxConcurrentCheckpoints, count);
  return *this;
}

int CheckpointConfig::getMaxConcurrentCheckpoints() const {
  return state_->configuration.get(kMaxConcurrentCheckpoints);
}

CheckpointConfig& CheckpointConfig::setTolerableCheckpointFailureNumber(int count) {
  requireAtLeast("setTolerableCheckpointFailureNumber", count, 0, "");
  state_->configuration.set(kTolerableFailedCheckpoints, count);
  return *this;
}

int CheckpointConfig::getTolerableCheckpointFailureNumber() const {
  return state_->configuration.get(kTolerableFailedCheckpoints);
}

CheckpointConfig& CheckpointConfig::setExternalizedCheckpointRetention(
    ExternalizedCheckpointRetention retention) {
  for (const auto& [name, stored] : kRetentions) {
    if (name == retention) state_->configuration.set(kCheckpointRetention, stored);
  }
  return *this;
}

ExternalizedCheckpointRetention CheckpointConfig::getExternalizedCheckpointRetention() const {
  const CheckpointRetention set = state_->configuration.get(kCheckpointRetention);
  for (const auto& [name, stored] : kRetentions) {
    if (stored == set) return name;
  }
  return ExternalizedCheckpointRetention::NO_EXTERNALIZED_CHECKPOINTS;
}

CheckpointConfig& CheckpointConfig::setCheckpointStorage(const std::string& directory) {
  state_->configuration.set(kCheckpointDirectory, directory);
  return *this;
}

}  // namespace wiesel
