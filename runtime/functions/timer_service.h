#pragma once

#include <cstdint>

namespace wiesel {

/// Event time and processing time of an operator, and timers of the current key.
///
/// Units:  milliseconds since the epoch.
/// Errors: std::logic_error from timers on a stream without keys.
/// Flink:  TimerService (1.20). Timers need a keyed stream; a timer that is registered twice fires
///         once; one that is not after the clock fires with the clock's next step.
class TimerService {
 public:
  virtual ~TimerService() = default;
  virtual int64_t currentProcessingTime() const = 0;
  /// The smallest int64_t before the first watermark.
  virtual int64_t currentWatermark() const = 0;
  virtual void registerEventTimeTimer(int64_t timestamp_ms) = 0;
  virtual void registerProcessingTimeTimer(int64_t timestamp_ms) = 0;
  virtual void deleteEventTimeTimer(int64_t timestamp_ms) = 0;
  virtual void deleteProcessingTimeTimer(int64_t timestamp_ms) = 0;
};

/// Which clock a timer belongs to. Flink: TimeDomain (1.20).
enum class TimeDomain : uint8_t { EVENT_TIME, PROCESSING_TIME };

}  // namespace wiesel
