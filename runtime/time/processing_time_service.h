#pragma once

#include <cstdint>
#include <functional>

namespace wiesel::runtime {

/// The wall clock of a task and timers on it.
///
/// Threads: the task thread only; callbacks run in it, between two elements.
/// Flink:   ProcessingTimeService (1.20).
class ProcessingTimeService {
 public:
  virtual ~ProcessingTimeService() = default;

  /// Milliseconds since the epoch.
  virtual int64_t currentTimeMs() const = 0;

  /// Runs `callback` once, when the clock has passed `timestamp_ms`; timers run in the order of
  /// their times. Those that have not come when the task ends are dropped.
  virtual void registerTimer(int64_t timestamp_ms,
                             std::function<void(int64_t timestamp_ms)> callback) = 0;
};

}  // namespace wiesel::runtime
