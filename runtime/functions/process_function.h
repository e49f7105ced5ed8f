#pragma once

#include <cstdint>
#include <optional>

#include "runtime/functions/collector.h"
#include "runtime/functions/rich_function.h"

namespace wiesel {

/// Event time and processing time of an operator, and timers of the current key.
///
/// Units: milliseconds since the epoch.
/// Flink: TimerService (1.20). Timers need a keyed stream; a timer that is registered twice fires
///        once.
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

/// A function on single records that sees their timestamps and the clocks.
/// Flink: ProcessFunction (1.20).
template <class In, class Out>
class ProcessFunction : public RichFunction {
 public:
  using Input = In;
  using Output = Out;

  class Context {
   public:
    virtual ~Context() = default;
    /// Of the record at hand; none if it has no timestamp.
    virtual std::optional<int64_t> timestamp() const = 0;
    virtual TimerService& timerService() = 0;
  };

  virtual void processElement(const In& value, Context& context, Collector<Out>& out) = 0;
};

/// A function on the records of a keyed stream, with state and timers for each key.
/// Flink: KeyedProcessFunction (1.20).
template <class K, class In, class Out>
class KeyedProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input = In;
  using Output = Out;

  class Context {
   public:
    virtual ~Context() = default;
    virtual const K& getCurrentKey() const = 0;
    /// Of the record at hand, or of the timer.
    virtual std::optional<int64_t> timestamp() const = 0;
    virtual TimerService& timerService() = 0;
  };

  class OnTimerContext : public Context {
   public:
    virtual TimeDomain timeDomain() const = 0;
  };

  virtual void processElement(const In& value, Context& context, Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

}  // namespace wiesel
