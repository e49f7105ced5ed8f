#pragma once

#include <cstdint>

#include "runtime/functions/collector.h"
#include "runtime/functions/process_context.h"
#include "runtime/functions/rich_function.h"

namespace wiesel {

// Functions on two connected streams, for ConnectedStreams. Records of both come to one object, in
// no order that anybody defines between the streams, and so share its members and its state.

/// One result a record. Flink: CoMapFunction, RichCoMapFunction (1.20).
template <class In1, class In2, class Out>
class CoMapFunction : public RichFunction {
 public:
  virtual Out map1(const In1& value) = 0;
  virtual Out map2(const In2& value) = 0;
};

/// Any number of results a record. Flink: CoFlatMapFunction, RichCoFlatMapFunction (1.20).
template <class In1, class In2, class Out>
class CoFlatMapFunction : public RichFunction {
 public:
  using Output = Out;

  virtual void flatMap1(const In1& value, Collector<Out>& out) = 0;
  virtual void flatMap2(const In2& value, Collector<Out>& out) = 0;
};

/// A function that sees timestamps and clocks, and may put records out at the side. onTimer() is
/// only called on keyed streams. Flink: CoProcessFunction (1.20).
template <class In1, class In2, class Out>
class CoProcessFunction : public RichFunction {
 public:
  using Output = Out;
  using Context = runtime::ProcessContext;
  using OnTimerContext = runtime::TimerContext<Context>;

  virtual void processElement1(const In1& value, Context& context, Collector<Out>& out) = 0;
  virtual void processElement2(const In2& value, Context& context, Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

/// A function on two streams with keys of one type: records with equal keys share state and timers.
/// Flink: KeyedCoProcessFunction (1.20).
template <class K, class In1, class In2, class Out>
class KeyedCoProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Output = Out;
  using Context = runtime::KeyedProcessContext<K>;
  using OnTimerContext = runtime::TimerContext<Context>;

  virtual void processElement1(const In1& value, Context& context, Collector<Out>& out) = 0;
  virtual void processElement2(const In2& value, Context& context, Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

}  // namespace wiesel
