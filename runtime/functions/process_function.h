#pragma once

#include <cstdint>

#include "runtime/functions/collector.h"
#include "runtime/functions/process_context.h"
#include "runtime/functions/rich_function.h"

namespace wiesel {

/// A function on single records that sees their timestamps and the clocks, and may put records out
/// at the side. onTimer() is only called on a keyed stream.
/// Flink: ProcessFunction (1.20).
template <class In, class Out>
class ProcessFunction : public RichFunction {
 public:
  using Input = In;
  using Output = Out;
  using Context = runtime::ProcessContext;
  using OnTimerContext = runtime::TimerContext<Context>;

  virtual void processElement(const In& value, Context& context, Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

/// A function on the records of a keyed stream, with state and timers for each key. What onTimer()
/// puts out has the timer's time, if it is an event-time timer, and else no timestamp.
/// Flink: KeyedProcessFunction (1.20).
template <class K, class In, class Out>
class KeyedProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Input = In;
  using Output = Out;
  using Context = runtime::KeyedProcessContext<K>;
  using OnTimerContext = runtime::TimerContext<Context>;

  virtual void processElement(const In& value, Context& context, Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

}  // namespace wiesel
