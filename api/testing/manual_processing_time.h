#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "runtime/time/processing_time_service.h"

namespace wiesel::testing {

/// A clock that a test moves; the timers that are due meanwhile run then, in the order of their
/// times, and see the new time.
/// Flink: TestProcessingTimeService (1.20).
class ManualProcessingTime final : public runtime::ProcessingTimeService {
 public:
  explicit ManualProcessingTime(int64_t now_ms) : now_ms_(now_ms) {}

  int64_t currentTimeMs() const override { return now_ms_; }
  void registerTimer(int64_t timestamp_ms, std::function<void(int64_t)> callback) override {
    timers_.emplace(timestamp_ms, std::move(callback));
  }

  void advanceTo(int64_t now_ms) {
    setTo(now_ms);
    while (fireOne()) {
    }
  }

  /// Moves the clock alone.
  void setTo(int64_t now_ms) { now_ms_ = now_ms; }
  /// Runs the next timer that is due; false when none is.
  bool fireOne() {
    if (timers_.empty() || timers_.begin()->first > now_ms_) return false;
    const auto due = timers_.extract(timers_.begin());
    due.mapped()(due.key());
    return true;
  }
  bool hasTimer() const { return !timers_.empty(); }

 private:
  int64_t now_ms_;
  std::multimap<int64_t, std::function<void(int64_t)>> timers_;
};

}  // namespace wiesel::testing
