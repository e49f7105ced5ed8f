#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/time/internal_timer_service.h"
#include "runtime/windowing/any_trigger.h"
#include "runtime/windowing/merging_window_set.h"
#include "runtime/windowing/window_assigner.h"
#include "state/keyed_state_store.h"

namespace wiesel::runtime {

/// The contents and the function of a window operator, to which its logic gives orders.
template <class T, class W>
class WindowTarget {
 public:
  virtual ~WindowTarget() = default;
  /// Adds to what is kept under `state_window`; returns false when there were elements before.
  virtual bool addElement(const W& state_window, T&& element, int64_t timestamp_ms) = 0;
  /// Calls the function of `window`, unless nothing is kept under `state_window`.
  virtual void fire(const W& window, const W& state_window) = 0;
  virtual void clearContents(const W& state_window) = 0;
  virtual void mergeContents(const W& state_window, const std::vector<W>& others) = 0;
  /// The window goes: its function may clear its own state.
  virtual void clearFunctionState(const W& window) = 0;
  /// No window takes the record any more.
  virtual void onLateElement(T&& element, int64_t timestamp_ms) = 0;
};

/// What windows there are and when they fire.
template <class T, class W>
struct WindowSettings {
  std::shared_ptr<const WindowAssigner<T, W>> assigner;  // Shared by subtasks; immutable.
  AnyTrigger<T, W> trigger;
  int64_t allowed_lateness_ms = 0;
};

/// Decides for a window operator with any assigner and trigger: to which windows a record belongs,
/// when a window fires, is purged, merges and goes.
///
/// Threads: the task thread only; calls are about the backend's current key.
/// Flink:   WindowOperator (1.20).
template <class T, class K, class W>
class WindowLogic final : private OnMergeContext<W>, private WindowAssignerContext {
 public:
  using Timers = InternalTimerService<K, W>;

  /// Borrows everything else. Declares the state of the merging windows.
  WindowLogic(WindowSettings<T, W> settings, state::KeyedStateBackend& backend, Timers& timers,
              WindowTarget<T, W>& target)
      : settings_(std::move(settings)),
        assigner_(*settings_.assigner),
        is_event_time_(assigner_.isEventTime()),
        ignores_elements_(settings_.trigger.isEventTimeTrigger()),
        fires_once_(is_event_time_ && ignores_elements_ && settings_.allowed_lateness_ms == 0 &&
                    !assigner_.merges()),
        timers_(timers),
        target_(target),
        trigger_state_(backend) {
    if (assigner_.merges()) merging_.emplace(assigner_, backend);
  }

  void processElement(T&& element, int64_t timestamp_ms) {
    windows_.clear();
    assigner_.assignWindows(element, timestamp_ms, *this, windows_);
    bool is_taken = false;
    if (merging_) {
      merging_->load();
      for (const W& window : windows_) {
        if (addToMergingWindow(window, element, timestamp_ms)) is_taken = true;
      }
      merging_->persist();
    } else {
      for (const W& window : windows_) {
        if (isWindowLate(window)) continue;
        is_taken = true;
        addToWindow(window, window, element, timestamp_ms);
      }
    }
    if (!is_taken && isElementLate(timestamp_ms)) {
      target_.onLateElement(std::move(element), timestamp_ms);
    }
  }

  void onEventTime(const Timer<K, W>& timer) {
    onTimer(timer, is_event_time_, [&](const W& window) {
      return settings_.trigger.onEventTime(timer.timestamp_ms, window, *this);
    });
  }
  void onProcessingTime(const Timer<K, W>& timer) {
    onTimer(timer, !is_event_time_, [&](const W& window) {
      return settings_.trigger.onProcessingTime(timer.timestamp_ms, window, *this);
    });
  }

 private:
  static constexpr int64_t kEndOfTime = std::numeric_limits<int64_t>::max();

  /// Returns false when the window is late.
  bool addToMergingWindow(const W& window, T& element, int64_t timestamp_ms) {
    const W actual =
        merging_->addWindow(window, [this](const auto& merge) { onWindowsMerged(merge); });
    if (isWindowLate(actual)) {
      merging_->retireWindow(actual);
      return false;
    }
    const W state_window = *merging_->stateWindow(actual);
    addToWindow(actual, state_window, element, timestamp_ms);
    return true;
  }

  void addToWindow(const W& window, const W& state_window, T& element, int64_t timestamp_ms) {
    const bool is_last_use = ignores_elements_ && windows_.size() == 1;
    const bool may_be_new = is_last_use
                                ? target_.addElement(state_window, std::move(element), timestamp_ms)
                                : target_.addElement(state_window, T(element), timestamp_ms);
    // A window that fires but once and has elements has its timer, too.
    if (fires_once_ && !may_be_new) return;
    selectWindow(window);
    const TriggerResult result = settings_.trigger.onElement(element, timestamp_ms, window, *this);
    obey(result, window, state_window);
    registerCleanupTimer(window);
  }

  template <class CallTrigger>
  void onTimer(const Timer<K, W>& timer, bool may_be_cleanup, CallTrigger call_trigger) {
    const W& window = timer.ns;
    W state_window = window;
    if (merging_) {
      merging_->load();
      const W* known = merging_->stateWindow(window);
      if (known == nullptr) return;  // A timer that the trigger has not deleted.
      state_window = *known;
    }
    selectWindow(window);
    obey(call_trigger(window), window, state_window);
    if (may_be_cleanup && timer.timestamp_ms == cleanupTime(window)) {
      clearAll(window, state_window);
    }
    if (merging_) merging_->persist();
  }

  void obey(TriggerResult result, const W& window, const W& state_window) {
    if (isFire(result)) target_.fire(window, state_window);
    if (isPurge(result)) target_.clearContents(state_window);
  }

  void clearAll(const W& window, const W& state_window) {
    target_.clearContents(state_window);
    settings_.trigger.clear(window, *this);
    target_.clearFunctionState(window);
    if (merging_) merging_->retireWindow(window);
  }

  void onWindowsMerged(const typename MergingWindowSet<T, W>::Merge& merge) {
    checkNotOver(merge.result);
    merged_windows_ = &merge.merged_windows;
    selectWindow(merge.result);
    settings_.trigger.onMerge(merge.result, *this);
    for (const W& merged : merge.merged_windows) {
      selectWindow(merged);
      settings_.trigger.clear(merged, *this);
      deleteCleanupTimer(merged);
    }
    merged_windows_ = nullptr;
    target_.mergeContents(merge.state_window, merge.merged_states);
  }

  void checkNotOver(const W& merged) const {
    const bool is_over = is_event_time_ ? isWindowLate(merged)
                                        : merged.maxTimestamp() <= timers_.currentProcessingTime();
    if (!is_over) return;
    throw std::logic_error(
        "windows were merged into one that has ended already (its last timestamp is " +
        std::to_string(merged.maxTimestamp()) + ", " +
        (is_event_time_ ? "the watermark " + std::to_string(timers_.currentWatermark())
                        : "the time " + std::to_string(timers_.currentProcessingTime())) +
        "): the assigner must not make windows end earlier");
  }

  bool isWindowLate(const W& window) const {
    return is_event_time_ && cleanupTime(window) <= timers_.currentWatermark();
  }

  bool isElementLate(int64_t timestamp_ms) const {
    // As Java adds: the sum may wrap.
    const auto latest_ms = static_cast<int64_t>(
        static_cast<uint64_t>(timestamp_ms) + static_cast<uint64_t>(settings_.allowed_lateness_ms));
    return is_event_time_ && latest_ms <= timers_.currentWatermark();
  }

  /// When a window and its state go.
  int64_t cleanupTime(const W& window) const {
    if (!is_event_time_) return window.maxTimestamp();
    int64_t time_ms = 0;
    if (__builtin_add_overflow(window.maxTimestamp(), settings_.allowed_lateness_ms, &time_ms)) {
      return kEndOfTime;
    }
    return time_ms;
  }

  void registerCleanupTimer(const W& window) {
    const int64_t time_ms = cleanupTime(window);
    if (time_ms == kEndOfTime) return;
    if (is_event_time_) {
      timers_.registerEventTimeTimer(window, time_ms);
    } else {
      timers_.registerProcessingTimeTimer(window, time_ms);
    }
  }

  void deleteCleanupTimer(const W& window) {
    const int64_t time_ms = cleanupTime(window);
    if (time_ms == kEndOfTime) return;
    if (is_event_time_) {
      timers_.deleteEventTimeTimer(window, time_ms);
    } else {
      timers_.deleteProcessingTimeTimer(window, time_ms);
    }
  }

  void selectWindow(const W& window) { trigger_state_.setCurrentNamespace(window); }
  const W& selectedWindow() const { return trigger_state_.currentNamespace(); }

  // What the trigger and the assigner see.
  int64_t getCurrentProcessingTime() const override { return timers_.currentProcessingTime(); }
  int64_t getCurrentWatermark() const override { return timers_.currentWatermark(); }
  void registerProcessingTimeTimer(int64_t time_ms) override {
    timers_.registerProcessingTimeTimer(selectedWindow(), time_ms);
  }
  void registerEventTimeTimer(int64_t time_ms) override {
    timers_.registerEventTimeTimer(selectedWindow(), time_ms);
  }
  void deleteProcessingTimeTimer(int64_t time_ms) override {
    timers_.deleteProcessingTimeTimer(selectedWindow(), time_ms);
  }
  void deleteEventTimeTimer(int64_t time_ms) override {
    timers_.deleteEventTimeTimer(selectedWindow(), time_ms);
  }
  KeyedStateStore<W>& windowState() override { return trigger_state_; }
  const std::vector<W>& mergedWindows() const override { return *merged_windows_; }

  WindowSettings<T, W> settings_;
  const WindowAssigner<T, W>& assigner_;
  const bool is_event_time_;
  const bool ignores_elements_;  // The trigger is the default one of event-time windows.
  const bool fires_once_;
  Timers& timers_;
  WindowTarget<T, W>& target_;
  KeyedStateStore<W> trigger_state_;
  std::optional<MergingWindowSet<T, W>> merging_;
  std::vector<W> windows_;                          // Of the record at hand.
  const std::vector<W>* merged_windows_ = nullptr;  // While the trigger's onMerge() runs.
};

}  // namespace wiesel::runtime
