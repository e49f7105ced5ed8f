#pragma once

#include <cstdint>
#include <span>

#include "runtime/functions/collector.h"
#include "runtime/functions/rich_function.h"
#include "runtime/windowing/time_window.h"
#include "runtime/windowing/window_context.h"

namespace wiesel {

/// Called with all elements of a window, in the order of arrival, whenever it fires. Behind
/// reduce() or aggregate() there is one element, the result. Flink: ProcessWindowFunction (1.20).
template <class In, class Out, class K, class W = TimeWindow>
class ProcessWindowFunction : public RichFunction {
 public:
  using Input = In;
  using Output = Out;
  using Key = K;
  using Window = W;
  using Context = WindowContext<K, W>;

  virtual void process(const K& key, Context& context, std::span<const In> elements,
                       Collector<Out>& out) = 0;
  /// The window goes: its state in context.windowState() has to go with it.
  virtual void clear(Context& context) { (void)context; }
};

/// The same for windowAll(). Flink: ProcessAllWindowFunction (1.20).
template <class In, class Out, class W = TimeWindow>
class ProcessAllWindowFunction : public RichFunction {
 public:
  using Input = In;
  using Output = Out;
  using Window = W;
  using Context = WindowContext<int8_t, W>;

  virtual void process(Context& context, std::span<const In> elements, Collector<Out>& out) = 0;
  virtual void clear(Context& context) { (void)context; }
};

}  // namespace wiesel
