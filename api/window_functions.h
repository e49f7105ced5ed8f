#pragma once

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/functions/collector.h"
#include "runtime/functions/function_traits.h"
#include "runtime/windowing/evictors.h"
#include "runtime/windowing/window_context.h"

// The functions of windows as window operators call them: (key, window, contents, context, out).
// The contents are all elements, or the one result of a reduce or aggregate function.

namespace wiesel::internal {

/// A ProcessWindowFunction or ProcessAllWindowFunction.
template <class F>
concept IsProcessWindowFunction = requires {
  typename F::Context;
  typename F::Window;
  typename F::Input;
  typename F::Output;
};

/// A window's function that has state of the window to clear.
template <class F, class Context>
concept ClearsState = requires(F& function, Context& context) {
  function.clear(context);
};

/// Puts out a window's one result.
struct EmitResult {
  static constexpr bool kHasNoEffects = true;

  template <class K, class W, class T>
  void operator()(const K&, const W&, const T& result, WindowContext<K, W>&, Collector<T>& out) {
    out.collect(result);
  }
};

/// Calls `f(key, window, contents, collector)`; for windowAll, which has no key of its own,
/// `f(window, contents, collector)`. All elements are a std::span<const T>.
template <class F, bool has_key>
struct CallWindowFunction {
  F function;

  F& userFunction() { return function; }

  template <class K, class W, class Contents, class Out>
  void operator()(const K& key, const W& window, const Contents& contents, WindowContext<K, W>&,
                  Collector<Out>& out) {
    call(key, window, contents, out);
  }

 private:
  template <class K, class W, class E, class Out>
  void call(const K& key, const W& window, const std::vector<E>& elements, Collector<Out>& out) {
    const std::span<const E> span(elements);
    // Of a reduce or aggregate function the result may be a vector itself.
    if constexpr (has_key &&
                  std::invocable<F&, const K&, const W&, std::span<const E>, Collector<Out>&>) {
      function(key, window, span, out);
    } else if constexpr (has_key) {
      function(key, window, elements, out);
    } else if constexpr (std::invocable<F&, const W&, std::span<const E>, Collector<Out>&>) {
      function(window, span, out);
    } else {
      function(window, elements, out);
    }
  }

  template <class K, class W, class Result, class Out>
  void call(const K& key, const W& window, const Result& result, Collector<Out>& out) {
    if constexpr (has_key) {
      function(key, window, result, out);
    } else {
      function(window, result, out);
    }
  }
};

/// Calls a ProcessWindowFunction, or without a key a ProcessAllWindowFunction.
template <class F, bool has_key>
struct CallProcessWindowFunction {
  static constexpr bool kUsesContext = true;

  F function;

  F& userFunction() { return function; }

  template <class K, class W, class Contents, class Out>
  void operator()(const K& key, const W&, const Contents& contents, WindowContext<K, W>& context,
                  Collector<Out>& out) {
    const std::span<const typename F::Input> elements = asSpan(contents);
    if constexpr (has_key) {
      function.process(key, context, elements, out);
    } else {
      function.process(context, elements, out);
    }
  }

  template <class K, class W>
  void clear(WindowContext<K, W>& context) {
    function.clear(context);
  }

 private:
  using Input = typename F::Input;

  static std::span<const Input> asSpan(const Input& result) { return {&result, 1}; }
  static std::span<const Input> asSpan(const std::vector<Input>& elements) { return elements; }
};

/// A window's function behind a reduce function that is only called when the window fires, since an
/// evictor has to see all elements. Flink: ReduceApplyWindowFunction (1.20), which gives null to
/// the function when no element is left; here it is not called then.
template <class Reduce, class Inner>
struct ReduceElements {
  Reduce reduce;
  Inner inner;

  Inner& userFunction() { return inner; }

  template <class K, class W, class T, class Out>
  void operator()(const K& key, const W& window, const std::vector<T>& elements,
                  WindowContext<K, W>& context, Collector<Out>& out) {
    if (elements.empty()) return;
    T result = elements.front();
    for (size_t i = 1; i < elements.size(); ++i) {
      result = runtime::invokeReduce(reduce, result, elements[i]);
    }
    inner(key, window, result, context, out);
  }

  template <class K, class W>
  requires ClearsState<Inner, WindowContext<K, W>>
  void clear(WindowContext<K, W>& context) { inner.clear(context); }
};

/// The same behind an aggregate function. Flink: AggregateApplyWindowFunction (1.20).
template <class Aggregate, class Inner>
struct AggregateElements {
  Aggregate aggregate;
  Inner inner;

  template <class K, class W, class T, class Out>
  void operator()(const K& key, const W& window, const std::vector<T>& elements,
                  WindowContext<K, W>& context, Collector<Out>& out) {
    auto accumulator = aggregate.createAccumulator();
    for (const T& element : elements) {
      accumulator = aggregate.add(element, std::move(accumulator));
    }
    inner(key, window, std::as_const(aggregate).getResult(accumulator), context, out);
  }

  Inner& userFunction() { return inner; }

  template <class K, class W>
  requires ClearsState<Inner, WindowContext<K, W>>
  void clear(WindowContext<K, W>& context) { inner.clear(context); }
};

/// The clocks that an evictor sees, of the context of a window's function.
template <class Context>
class EvictorClocks final : public EvictorContext {
 public:
  explicit EvictorClocks(const Context& context) : context_(context) {}
  int64_t getCurrentProcessingTime() const override { return context_.currentProcessingTime(); }
  int64_t getCurrentWatermark() const override { return context_.currentWatermark(); }

 private:
  const Context& context_;
};

/// A window's function between the two calls of an evictor.
template <class T, class W, class Inner>
struct EvictAround {
  static constexpr bool kUsesContext = true;

  AnyEvictor<T, W> evictor;
  Inner inner;

  Inner& userFunction() { return inner; }

  template <class K, class Out>
  void operator()(const K& key, const W& window, std::vector<TimestampedValue<T>>& elements,
                  WindowContext<K, W>& context, Collector<Out>& out) {
    EvictorClocks clocks(context);
    evictor.evictBefore(elements, window, clocks);
    std::vector<T> values;
    values.reserve(elements.size());
    for (const auto& element : elements) values.push_back(element.getValue());
    inner(key, window, values, context, out);
    evictor.evictAfter(elements, window, clocks);
  }

  template <class K>
  requires ClearsState<Inner, WindowContext<K, W>>
  void clear(WindowContext<K, W>& context) { inner.clear(context); }
};

}  // namespace wiesel::internal
