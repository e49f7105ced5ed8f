#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "runtime/time/processing_time_service.h"
#include "runtime/time/timer_queue.h"

namespace wiesel::runtime {

/// Called when a timer has come, with the timer's key as the current key.
template <class K, class N>
class TimerTarget {
 public:
  virtual ~TimerTarget() = default;
  virtual void onEventTime(const Timer<K, N>& timer) = 0;
  virtual void onProcessingTime(const Timer<K, N>& timer) = 0;
};

/// The timers of one operator subtask in both clocks, for the backend's current key.
///
/// Threads: the task thread only.
/// Flink:   InternalTimerServiceImpl (1.20): a watermark fires what is due in the order of
///          the times, also what the firings register, and the clock shows the new watermark
///          already; after a restore the watermark is the smallest int64_t again. Differs: after
///          kFiringsPerTurn processing-time timers the task may do something else before the next.
template <class K, class N>
class InternalTimerService {
 public:
  /// After so many firings the task lets its output drain.
  static constexpr int kFiringsPerTurn = 1024;

  /// `service` is part of the states' names: "user-timers" or "window-timers".
  InternalTimerService(const std::string& service, state::TypedKeyedStateBackend<K>& backend,
                       ProcessingTimeService& processing_time, TimerTarget<K, N>& target)
      : backend_(backend),
        processing_time_(processing_time),
        target_(target),
        event_timers_("_timer_state/event_" + service, backend),
        processing_timers_("_timer_state/processing_" + service, backend) {
    scheduleProcessingTime();
  }

  int64_t currentWatermark() const { return watermark_ms_; }
  int64_t currentProcessingTime() const { return processing_time_.currentTimeMs(); }

  void registerEventTimeTimer(const N& ns, int64_t timestamp_ms) {
    event_timers_.add({timestamp_ms, backend_.currentKey(), ns});
  }
  void deleteEventTimeTimer(const N& ns, int64_t timestamp_ms) {
    event_timers_.remove({timestamp_ms, backend_.currentKey(), ns});
  }
  void registerProcessingTimeTimer(const N& ns, int64_t timestamp_ms) {
    processing_timers_.add({timestamp_ms, backend_.currentKey(), ns});
    scheduleProcessingTime();
  }
  void deleteProcessingTimeTimer(const N& ns, int64_t timestamp_ms) {
    processing_timers_.remove({timestamp_ms, backend_.currentKey(), ns});
  }

  /// Fires the event-time timers that are due at `watermark_ms`, until none is left or `pause()` is
  /// true after one of them. Returns true when none is left.
  template <class Pause>
  bool advanceWatermark(int64_t watermark_ms, Pause pause) {
    watermark_ms_ = watermark_ms;
    while (!event_timers_.empty() && event_timers_.earliest().timestamp_ms <= watermark_ms) {
      const Timer<K, N> timer = event_timers_.pop();
      backend_.setCurrentKey(timer.key);
      target_.onEventTime(timer);
      if (pause()) return false;
    }
    return true;
  }

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// Asks for a call at the time of the earliest processing-time timer.
  void scheduleProcessingTime() {
    if (processing_timers_.empty()) return;
    const int64_t due_ms = processing_timers_.earliest().timestamp_ms;
    if (due_ms >= scheduled_ms_) return;
    scheduled_ms_ = due_ms;
    processing_time_.registerTimer(due_ms, [this, due_ms](int64_t) {
      if (due_ms == scheduled_ms_) scheduled_ms_ = kNever;
      fireProcessingTime();
    });
  }

  void fireProcessingTime() {
    const int64_t now_ms = processing_time_.currentTimeMs();
    for (int fired = 0; fired < kFiringsPerTurn; ++fired) {
      if (processing_timers_.empty() || processing_timers_.earliest().timestamp_ms > now_ms) break;
      const Timer<K, N> timer = processing_timers_.pop();
      backend_.setCurrentKey(timer.key);
      target_.onProcessingTime(timer);
    }
    scheduleProcessingTime();  // At once, if some are due still.
  }

  state::TypedKeyedStateBackend<K>& backend_;
  ProcessingTimeService& processing_time_;
  TimerTarget<K, N>& target_;
  TimerQueue<K, N> event_timers_;
  TimerQueue<K, N> processing_timers_;
  int64_t watermark_ms_ = std::numeric_limits<int64_t>::min();
  int64_t scheduled_ms_ = kNever;
};

}  // namespace wiesel::runtime
