#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "state/keyed_state_store.h"

namespace wiesel {

/// What becomes of a window: its function is called (fire), its contents go (purge), both, or
/// nothing. Flink: TriggerResult (1.20).
enum class TriggerResult : uint8_t { CONTINUE, FIRE_AND_PURGE, FIRE, PURGE };

constexpr bool isFire(TriggerResult result) {
  return result == TriggerResult::FIRE || result == TriggerResult::FIRE_AND_PURGE;
}
constexpr bool isPurge(TriggerResult result) {
  return result == TriggerResult::PURGE || result == TriggerResult::FIRE_AND_PURGE;
}

/// What a trigger sees and does: the clocks, and timers and state of the window at hand (and its
/// key).
///
/// Units: milliseconds since the epoch.
/// Flink: Trigger.TriggerContext (1.20).
template <class W>
class TriggerContext {
 public:
  virtual ~TriggerContext() = default;
  virtual int64_t getCurrentProcessingTime() const = 0;
  /// The smallest int64_t before the first watermark.
  virtual int64_t getCurrentWatermark() const = 0;
  /// A timer that is registered twice fires once. Trigger::onProcessingTime() is called for it.
  virtual void registerProcessingTimeTimer(int64_t timestamp_ms) = 0;
  virtual void registerEventTimeTimer(int64_t timestamp_ms) = 0;
  virtual void deleteProcessingTimeTimer(int64_t timestamp_ms) = 0;
  virtual void deleteEventTimeTimer(int64_t timestamp_ms) = 0;

  /// The state of the window at hand: a ValueState for a ValueStateDescriptor, and so on.
  template <class Descriptor>
  auto getPartitionedState(const Descriptor& descriptor) {
    return windowState().get(descriptor);
  }

 protected:
  virtual KeyedStateStore<W>& windowState() = 0;
};

/// Flink: Trigger.OnMergeContext (1.20).
template <class W>
class OnMergeContext : public TriggerContext<W> {
 public:
  /// Combines the state of the windows that were merged into the new window's.
  template <class Descriptor>
  void mergePartitionedState(const Descriptor& descriptor) {
    this->windowState().mergeFrom(mergedWindows(), descriptor);
  }

 protected:
  virtual const std::vector<W>& mergedWindows() const = 0;
};

/// Decides when a window's function is called: a user's own trigger derives from it. Members of the
/// object are not in checkpoints and belong to all windows of a subtask; what a window needs to
/// remember is partitioned state.
///
/// Copies:  each subtask works on its own copy.
/// Threads: the task's own.
/// Flink:   Trigger (1.20).
template <class T, class W>
class Trigger {
 public:
  using Window = W;
  using TriggerContext = wiesel::TriggerContext<W>;
  using OnMergeContext = wiesel::OnMergeContext<W>;

  virtual ~Trigger() = default;

  /// For each record that is added to a window. `timestamp_ms` is the smallest int64_t when the
  /// record has none.
  virtual TriggerResult onElement(const T& element, int64_t timestamp_ms, const W& window,
                                  TriggerContext& context) = 0;
  /// For each timer that the trigger has registered, and for the one that cleans up.
  virtual TriggerResult onProcessingTime(int64_t time_ms, const W& window,
                                         TriggerContext& context) = 0;
  virtual TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext& context) = 0;

  /// True when it can be used with windows that merge; then onMerge() must be there.
  virtual bool canMerge() const { return false; }
  /// Windows have become `window`. clear() is called for each of them afterwards.
  virtual void onMerge(const W& window, OnMergeContext& context) {
    (void)window, (void)context;
    throw std::logic_error("this trigger does not support merging windows");
  }

  /// Removes timers and state of a window that goes.
  virtual void clear(const W& window, TriggerContext& context) = 0;
};

}  // namespace wiesel
