#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace wiesel {

/// How long values of a keyed state live, for the descriptor's enableTimeToLive(). Each value, list
/// element and map entry expires on its own; the clock is the task's processing time.
///
/// Cleanup: an expired value is removed when it is read. What nobody reads again stays: there is no
///          cleanup in the background, also when it is not disabled.
/// Errors:  std::invalid_argument for a time that is not positive.
/// Flink:   StateTtlConfig (1.20), except for the cleanup in the background.
class StateTtlConfig {
 public:
  enum class UpdateType : uint8_t {
    Disabled,
    OnCreateAndWrite,
    OnReadAndWrite,  // Also a read prolongs the life of what has not expired.
  };
  enum class StateVisibility : uint8_t {
    /// The read that finds an expired value returns and removes it.
    ReturnExpiredIfNotCleanedUp,
    NeverReturnExpired,
  };

  class Builder;

  /// Disabled.
  StateTtlConfig() = default;
  static Builder newBuilder(std::chrono::milliseconds time_to_live);

  bool isEnabled() const { return update_type_ != UpdateType::Disabled; }
  UpdateType getUpdateType() const { return update_type_; }
  StateVisibility getStateVisibility() const { return visibility_; }
  std::chrono::milliseconds getTimeToLive() const { return time_to_live_; }

 private:
  UpdateType update_type_ = UpdateType::Disabled;
  StateVisibility visibility_ = StateVisibility::NeverReturnExpired;
  std::chrono::milliseconds time_to_live_{0};
};

class StateTtlConfig::Builder {
 public:
  explicit Builder(std::chrono::milliseconds time_to_live) {
    if (time_to_live.count() <= 0) {
      throw std::invalid_argument("the time to live of a state must be positive, got " +
                                  std::to_string(time_to_live.count()) + " ms");
    }
    config_.time_to_live_ = time_to_live;
    config_.update_type_ = UpdateType::OnCreateAndWrite;
  }

  /// The default is OnCreateAndWrite.
  Builder& setUpdateType(UpdateType update_type) {
    config_.update_type_ = update_type;
    return *this;
  }
  Builder& updateTtlOnCreateAndWrite() { return setUpdateType(UpdateType::OnCreateAndWrite); }
  Builder& updateTtlOnReadAndWrite() { return setUpdateType(UpdateType::OnReadAndWrite); }

  /// The default is NeverReturnExpired.
  Builder& setStateVisibility(StateVisibility visibility) {
    config_.visibility_ = visibility;
    return *this;
  }
  Builder& returnExpiredIfNotCleanedUp() {
    return setStateVisibility(StateVisibility::ReturnExpiredIfNotCleanedUp);
  }
  Builder& neverReturnExpired() { return setStateVisibility(StateVisibility::NeverReturnExpired); }

  Builder& disableCleanupInBackground() { return *this; }

  StateTtlConfig build() const { return config_; }

 private:
  StateTtlConfig config_;
};

inline StateTtlConfig::Builder StateTtlConfig::newBuilder(std::chrono::milliseconds time_to_live) {
  return Builder(time_to_live);
}

}  // namespace wiesel
