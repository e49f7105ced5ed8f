#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "common/clock.h"
#include "runtime/time/processing_time_service.h"

namespace wiesel::runtime {

/// The processing-time timers of one task. They fire when the task looks for them, between
/// elements.
///
/// Threads: the task thread only.
/// Flink:   SystemProcessingTimeService (1.20): a timer for t fires when the clock shows t + 1.
class TaskTimers final : public ProcessingTimeService {
 public:
  explicit TaskTimers(const Clock& clock) : clock_(clock) {}

  int64_t currentTimeMs() const override { return clock_.wallMs(); }
  void registerTimer(int64_t timestamp_ms, std::function<void(int64_t)> callback) override;

  /// Fires the earliest timer that is due; false when none is.
  bool fireOne();

  /// Milliseconds until the earliest timer is due, 0 when it is; nullopt when there is none.
  std::optional<int64_t> untilNextMs() const;

  void clear() { timers_ = {}; }

 private:
  struct Entry {
    int64_t timestamp_ms;
    uint64_t number;  // Among equal times, the order of registering.
    std::function<void(int64_t)> callback;
    bool operator<(const Entry& other) const {  // For a queue with the earliest on top.
      return timestamp_ms != other.timestamp_ms ? timestamp_ms > other.timestamp_ms
                                                : number > other.number;
    }
  };

  const Clock& clock_;
  std::priority_queue<Entry> timers_;
  uint64_t next_number_ = 0;
};

}  // namespace wiesel::runtime
