#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "runtime/windowing/trigger.h"

namespace wiesel {

namespace internal {

/// The interval of a trigger, in milliseconds. Throws std::invalid_argument unless it is positive.
inline int64_t positiveInterval(std::chrono::milliseconds interval, const char* trigger) {
  if (interval.count() > 0) return interval.count();
  throw std::invalid_argument(std::string(trigger) + " needs an interval above 0, got " +
                              std::to_string(interval.count()) + " ms");
}

/// When a window of a continuous trigger fires next: the lowest of the times of windows that merge.
inline ReducingStateDescriptor<int64_t> fireTimeDescriptor() {
  return {"fire-time",
          [](const int64_t& left, const int64_t& right) { return std::min(left, right); }};
}

/// The multiple of `interval_ms` before `time_ms`; as Java has it, behind it for a negative time.
inline int64_t onGrid(int64_t time_ms, int64_t interval_ms) {
  return time_ms - time_ms % interval_ms;
}

/// One interval later, but not after `latest_ms`.
inline int64_t nextFireTime(int64_t time_ms, int64_t interval_ms, int64_t latest_ms) {
  int64_t next_ms = 0;
  if (__builtin_add_overflow(time_ms, interval_ms, &next_ms)) return latest_ms;
  return std::min(next_ms, latest_ms);
}

}  // namespace internal

/// Fires at each multiple of an interval that the watermark passes, and at the window's end. With
/// the last watermark of all it goes to the window's end at once.
/// Flink: ContinuousEventTimeTrigger (1.20), which with the last watermark steps through the rest
/// of
///        all time when the window is global.
class ContinuousEventTimeTrigger {
 public:
  static ContinuousEventTimeTrigger of(std::chrono::milliseconds interval) {
    return ContinuousEventTimeTrigger(interval);
  }

  template <class T, class W>
  TriggerResult onElement(const T&, int64_t timestamp_ms, const W& window,
                          TriggerContext<W>& context) {
    if (window.maxTimestamp() <= context.getCurrentWatermark()) return TriggerResult::FIRE;
    context.registerEventTimeTimer(window.maxTimestamp());
    auto fire_time = context.getPartitionedState(fire_time_);
    if (!fire_time.get()) {
      registerNext(internal::onGrid(timestamp_ms, interval_ms_), window, context, fire_time);
    }
    return TriggerResult::CONTINUE;
  }

  template <class W>
  TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    if (time_ms == window.maxTimestamp()) return TriggerResult::FIRE;
    auto fire_time = context.getPartitionedState(fire_time_);
    if (fire_time.get() != time_ms) return TriggerResult::CONTINUE;
    fire_time.clear();
    registerNext(time_ms, window, context, fire_time);
    return TriggerResult::FIRE;
  }

  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }

  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>& context) {
    context.mergePartitionedState(fire_time_);
    const auto next_ms = context.getPartitionedState(fire_time_).get();
    if (next_ms) context.registerEventTimeTimer(*next_ms);
  }

  template <class W>
  void clear(const W&, TriggerContext<W>& context) {
    auto fire_time = context.getPartitionedState(fire_time_);
    const std::optional<int64_t> time_ms = fire_time.get();
    if (!time_ms) return;
    context.deleteEventTimeTimer(*time_ms);
    fire_time.clear();
  }

 private:
  explicit ContinuousEventTimeTrigger(std::chrono::milliseconds interval)
      : interval_ms_(internal::positiveInterval(interval, "ContinuousEventTimeTrigger")) {}

  template <class W>
  void registerNext(int64_t time_ms, const W& window, TriggerContext<W>& context,
                    ReducingState<int64_t>& fire_time) {
    const bool is_last = context.getCurrentWatermark() == std::numeric_limits<int64_t>::max();
    const int64_t next_ms =
        is_last ? window.maxTimestamp()
                : internal::nextFireTime(time_ms, interval_ms_, window.maxTimestamp());
    fire_time.add(next_ms);
    context.registerEventTimeTimer(next_ms);
  }

  int64_t interval_ms_;
  ReducingStateDescriptor<int64_t> fire_time_ = internal::fireTimeDescriptor();
};

/// Fires at each multiple of an interval that the clock passes, for the last time at the window's
/// end. Flink: ContinuousProcessingTimeTrigger (1.20).
class ContinuousProcessingTimeTrigger {
 public:
  static ContinuousProcessingTimeTrigger of(std::chrono::milliseconds interval) {
    return ContinuousProcessingTimeTrigger(interval);
  }

  template <class T, class W>
  TriggerResult onElement(const T&, int64_t, const W& window, TriggerContext<W>& context) {
    auto fire_time = context.getPartitionedState(fire_time_);
    if (!fire_time.get()) {
      registerNext(internal::onGrid(context.getCurrentProcessingTime(), interval_ms_), window,
                   context, fire_time);
    }
    return TriggerResult::CONTINUE;
  }

  template <class W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }

  template <class W>
  TriggerResult onProcessingTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    auto fire_time = context.getPartitionedState(fire_time_);
    if (fire_time.get() != time_ms) return TriggerResult::CONTINUE;
    // At the window's end the time stays, without a timer: a window that this one merges into goes
    // on from there.
    if (time_ms < window.maxTimestamp()) {
      fire_time.clear();
      registerNext(time_ms, window, context, fire_time);
    }
    return TriggerResult::FIRE;
  }

  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>& context) {
    context.mergePartitionedState(fire_time_);
    const auto next_ms = context.getPartitionedState(fire_time_).get();
    if (next_ms) context.registerProcessingTimeTimer(*next_ms);
  }

  template <class W>
  void clear(const W&, TriggerContext<W>& context) {
    auto fire_time = context.getPartitionedState(fire_time_);
    const std::optional<int64_t> time_ms = fire_time.get();
    if (!time_ms) return;
    context.deleteProcessingTimeTimer(*time_ms);
    fire_time.clear();
  }

 private:
  explicit ContinuousProcessingTimeTrigger(std::chrono::milliseconds interval)
      : interval_ms_(internal::positiveInterval(interval, "ContinuousProcessingTimeTrigger")) {}

  template <class W>
  void registerNext(int64_t time_ms, const W& window, TriggerContext<W>& context,
                    ReducingState<int64_t>& fire_time) {
    const int64_t next_ms = internal::nextFireTime(time_ms, interval_ms_, window.maxTimestamp());
    fire_time.add(next_ms);
    context.registerProcessingTimeTimer(next_ms);
  }

  int64_t interval_ms_;
  ReducingStateDescriptor<int64_t> fire_time_ = internal::fireTimeDescriptor();
};

namespace internal {

template <class Nested>
class ProcessingTimeoutTrigger {
 public:
  ProcessingTimeoutTrigger(Nested nested, std::chrono::milliseconds timeout,
                           bool reset_timer_on_new_record, bool should_clear_on_timeout)
      : nested_(std::move(nested)),
        timeout_ms_(timeout.count()),
        reset_timer_on_new_record_(reset_timer_on_new_record),
        should_clear_on_timeout_(should_clear_on_timeout) {}

  template <class T, class W>
  TriggerResult onElement(const T& element, int64_t timestamp_ms, const W& window,
                          TriggerContext<W>& context) {
    const TriggerResult result = nested_.onElement(element, timestamp_ms, window, context);
    if (isFire(result)) {
      clear(window, context);
      return result;
    }
    auto timeout = context.getPartitionedState(timeout_);
    std::optional<int64_t> known_ms = timeout.value();
    if (known_ms && reset_timer_on_new_record_) {
      context.deleteProcessingTimeTimer(*known_ms);
      known_ms.reset();
    }
    if (!known_ms) {
      const int64_t next_ms = context.getCurrentProcessingTime() + timeout_ms_;
      timeout.update(next_ms);
      context.registerProcessingTimeTimer(next_ms);
    }
    return result;
  }

  template <class W>
  TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return onTimer(nested_.onEventTime(time_ms, window, context), window, context);
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return onTimer(nested_.onProcessingTime(time_ms, window, context), window, context);
  }

  bool canMerge() const { return false; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>&) {
    throw std::logic_error("a ProcessingTimeoutTrigger does not support merging windows");
  }

  template <class W>
  void clear(const W& window, TriggerContext<W>& context) {
    auto timeout = context.getPartitionedState(timeout_);
    if (const std::optional<int64_t> known_ms = timeout.value()) {
      context.deleteProcessingTimeTimer(*known_ms);
      timeout.clear();
    }
    nested_.clear(window, context);
  }

 private:
  template <class W>
  TriggerResult onTimer(TriggerResult result, const W& window, TriggerContext<W>& context) {
    if (should_clear_on_timeout_) clear(window, context);
    return isPurge(result) ? TriggerResult::FIRE_AND_PURGE : TriggerResult::FIRE;
  }

  Nested nested_;
  int64_t timeout_ms_;
  bool reset_timer_on_new_record_;
  bool should_clear_on_timeout_;
  ValueStateDescriptor<int64_t> timeout_{"timeout"};
};

}  // namespace internal

/// Fires with another trigger, or else a time after the first record since it fired last; with
/// `reset_timer_on_new_record`, after the last one. Any timer of the other trigger fires, too.
/// `should_clear_on_timeout`: the other trigger begins anew then.
/// Flink: ProcessingTimeoutTrigger (1.20), whose state is named "timeout".
struct ProcessingTimeoutTrigger {
  template <class Nested>
  static internal::ProcessingTimeoutTrigger<Nested> of(Nested nested,
                                                       std::chrono::milliseconds timeout,
                                                       bool reset_timer_on_new_record = false,
                                                       bool should_clear_on_timeout = true) {
    return {std::move(nested), timeout, reset_timer_on_new_record, should_clear_on_timeout};
  }
};

}  // namespace wiesel
