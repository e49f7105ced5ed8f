#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/functions/function_traits.h"
#include "runtime/windowing/trigger.h"

// Flink's triggers, for windows of any kind. Their states have Flink's names.

namespace wiesel {

/// Fires once when the watermark passes the window's end, and then at once for each record that is
/// late but still allowed. The default of event-time windows. Flink: EventTimeTrigger (1.20).
class EventTimeTrigger {
 public:
  static EventTimeTrigger create() { return {}; }

  template <class T, class W>
  TriggerResult onElement(const T&, int64_t, const W& window, TriggerContext<W>& context) {
    if (window.maxTimestamp() <= context.getCurrentWatermark()) return TriggerResult::FIRE;
    context.registerEventTimeTimer(window.maxTimestamp());
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext<W>&) {
    return time_ms == window.maxTimestamp() ? TriggerResult::FIRE : TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W& window, OnMergeContext<W>& context) {
    // Past the end, the record that made the windows one fires by itself.
    if (window.maxTimestamp() > context.getCurrentWatermark()) {
      context.registerEventTimeTimer(window.maxTimestamp());
    }
  }
  template <class W>
  void clear(const W& window, TriggerContext<W>& context) {
    context.deleteEventTimeTimer(window.maxTimestamp());
  }
};

/// Fires when the clock passes the window's end. The default of processing-time windows.
/// Flink: ProcessingTimeTrigger (1.20).
class ProcessingTimeTrigger {
 public:
  static ProcessingTimeTrigger create() { return {}; }

  template <class T, class W>
  TriggerResult onElement(const T&, int64_t, const W& window, TriggerContext<W>& context) {
    context.registerProcessingTimeTimer(window.maxTimestamp());
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::FIRE;
  }
  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W& window, OnMergeContext<W>& context) {
    if (window.maxTimestamp() > context.getCurrentProcessingTime()) {
      context.registerProcessingTimeTimer(window.maxTimestamp());
    }
  }
  template <class W>
  void clear(const W& window, TriggerContext<W>& context) {
    context.deleteProcessingTimeTimer(window.maxTimestamp());
  }
};

/// Never fires. The default of GlobalWindows. Flink: GlobalWindows.NeverTrigger (1.20).
class NeverTrigger {
 public:
  template <class T, class W>
  TriggerResult onElement(const T&, int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>&) {}
  template <class W>
  void clear(const W&, TriggerContext<W>&) {}
};

/// Fires when a window has had so many records since it fired last. It does not fire at a window's
/// end: what is left then is dropped. Flink: CountTrigger (1.20).
class CountTrigger {
 public:
  static CountTrigger of(int64_t max_count) { return CountTrigger(max_count); }

  template <class T, class W>
  TriggerResult onElement(const T&, int64_t, const W&, TriggerContext<W>& context) {
    auto count = context.getPartitionedState(count_);
    count.add(1);
    if (count.get().value_or(0) < max_count_) return TriggerResult::CONTINUE;
    count.clear();
    return TriggerResult::FIRE;
  }
  template <class W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  bool canMerge() const { return true; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>& context) {
    context.mergePartitionedState(count_);
  }
  template <class W>
  void clear(const W&, TriggerContext<W>& context) {
    context.getPartitionedState(count_).clear();
  }

 private:
  explicit CountTrigger(int64_t max_count) : max_count_(max_count) {}

  int64_t max_count_;
  ReducingStateDescriptor<int64_t> count_{
      "count", [](const int64_t& left, const int64_t& right) { return left + right; }};
};

namespace internal {

template <class Nested>
class PurgingTrigger {
 public:
  explicit PurgingTrigger(Nested nested) : nested_(std::move(nested)) {}

  template <class T, class W>
  TriggerResult onElement(const T& element, int64_t timestamp_ms, const W& window,
                          TriggerContext<W>& context) {
    return purging(nested_.onElement(element, timestamp_ms, window, context));
  }
  template <class W>
  TriggerResult onEventTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return purging(nested_.onEventTime(time_ms, window, context));
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t time_ms, const W& window, TriggerContext<W>& context) {
    return purging(nested_.onProcessingTime(time_ms, window, context));
  }
  bool canMerge() const { return nested_.canMerge(); }
  template <class W>
  void onMerge(const W& window, OnMergeContext<W>& context) {
    nested_.onMerge(window, context);
  }
  template <class W>
  void clear(const W& window, TriggerContext<W>& context) {
    nested_.clear(window, context);
  }

 private:
  static TriggerResult purging(TriggerResult result) {
    return isFire(result) ? TriggerResult::FIRE_AND_PURGE : result;
  }

  Nested nested_;
};

template <class T, class Delta>
class DeltaTrigger {
 public:
  DeltaTrigger(double threshold, Delta delta) : threshold_(threshold), delta_(std::move(delta)) {}

  template <class W>
  TriggerResult onElement(const T& element, int64_t, const W&, TriggerContext<W>& context) {
    auto last = context.getPartitionedState(last_);
    const std::optional<T> known = last.value();
    if (!known) {
      last.update(element);
      return TriggerResult::CONTINUE;
    }
    if (!(delta_(*known, element) > threshold_)) return TriggerResult::CONTINUE;
    last.update(element);
    return TriggerResult::FIRE;
  }
  template <class W>
  TriggerResult onEventTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  template <class W>
  TriggerResult onProcessingTime(int64_t, const W&, TriggerContext<W>&) {
    return TriggerResult::CONTINUE;
  }
  bool canMerge() const { return false; }
  template <class W>
  void onMerge(const W&, OnMergeContext<W>&) {
    throw std::logic_error("a DeltaTrigger does not support merging windows");
  }
  template <class W>
  void clear(const W&, TriggerContext<W>& context) {
    context.getPartitionedState(last_).clear();
  }

 private:
  double threshold_;
  Delta delta_;
  ValueStateDescriptor<T> last_{"last-element"};
};

}  // namespace internal

/// Makes each fire of another trigger a fire and purge. Flink: PurgingTrigger (1.20).
struct PurgingTrigger {
  template <class Nested>
  static internal::PurgingTrigger<Nested> of(Nested nested) {
    return internal::PurgingTrigger<Nested>(std::move(nested));
  }
};

/// Fires when the difference between a record and the one that fired last exceeds a threshold:
/// `delta(const T& last, const T& next) -> double`. The first record of a window does not fire.
/// Flink: DeltaTrigger (1.20).
struct DeltaTrigger {
  template <class T, class Delta>
  static internal::DeltaTrigger<T, Delta> of(double threshold, Delta delta) {
    return {threshold, std::move(delta)};
  }
  /// The record's type is that of the function's first parameter.
  template <class Delta>
  static auto of(double threshold, Delta delta) {
    using Arguments = typename runtime::CallSignature<Delta>::Arguments;
    return of<std::decay_t<std::tuple_element_t<0, Arguments>>>(threshold, std::move(delta));
  }
};

}  // namespace wiesel
