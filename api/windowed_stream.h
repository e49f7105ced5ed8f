#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/data_stream.h"
#include "api/field_aggregation.h"
#include "api/watermark_check.h"
#include "api/window_functions.h"
#include "api/windowing.h"
#include "runtime/functions/aggregate_function.h"
#include "runtime/functions/function_prototype.h"
#include "runtime/functions/rich_function.h"
#include "runtime/windowing/continuous_triggers.h"
#include "runtime/windowing/process_window_function.h"
#include "runtime/windowing/session_windows.h"

namespace wiesel {

template <class T, class K, class KeySelector, class Windowing>
class WindowedStream;

namespace internal {

/// The result type of a window's function F: a ProcessWindowFunction, or a callable with a
/// Collector<Out>&.
template <class F>
struct WindowResult : runtime::FlatMapResult<F> {};
template <IsProcessWindowFunction F>
struct WindowResult<F> {
  using Type = typename F::Output;
};

/// A user's window function as the operators call it.
template <class F, bool has_key>
using WindowCall =
    std::conditional_t<IsProcessWindowFunction<F>, CallProcessWindowFunction<F, has_key>,
                       CallWindowFunction<F, has_key>>;

/// Makes each subtask's WindowCall.
template <bool has_key, class F>
auto windowCallMaker(F f) {
  WIESEL_REQUIRE_FUNCTION(F);
  using Call = WindowCall<runtime::FunctionOf<F>, has_key>;
  return
      [prototype = runtime::FunctionPrototype<F>{std::move(f)}] { return Call{prototype.make()}; };
}

/// Builds the node of a window operator.
template <class T, class K, class KeySelector, class Windowing>
struct WindowNode {
  using W = typename Windowing::Window;

  Upstream upstream;
  KeySelector key_selector;
  Windowing windowing;
  bool is_parallel = true;

  /// The same over windows of another kind.
  template <class Other>
  WindowNode<T, K, KeySelector, Other> with(Other other) const {
    return {upstream, key_selector, std::move(other), is_parallel};
  }

  /// All elements are kept; as a C, when there is no evictor.
  template <class Out, class C = std::vector<T>, class MakeFunction>
  SingleOutputStreamOperator<Out> ofElements(const std::string& function_name,
                                             MakeFunction make_function) const {
    if constexpr (Windowing::kEvicts) {
      return evicting<Out>(function_name, std::move(make_function));
    } else {
      return add<Out>(
          function_name, [] { return runtime::ElementsOfWindow<W, T, C>(); },
          std::move(make_function));
    }
  }

  /// What `reduce` makes of the elements is kept.
  template <class Out, class F, class MakeFunction>
  SingleOutputStreamOperator<Out> ofReduced(const std::string& function_name, F reduce,
                                            MakeFunction make_function) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Reduce = runtime::FunctionOf<F>;
    WIESEL_REQUIRE_PLAIN(Reduce, "the reduce function of a window");
    const runtime::FunctionPrototype<F> prototype{std::move(reduce)};
    if constexpr (Windowing::kEvicts) {
      return evicting<Out>(function_name, [prototype, make_function] {
        return ReduceElements<Reduce, decltype(make_function())>{prototype.make(), make_function()};
      });
    } else {
      return add<Out>(
          function_name,
          [prototype] { return runtime::ReducedWindow<W, T, Reduce>(prototype.make()); },
          std::move(make_function));
    }
  }

  /// The accumulator that `aggregate` makes of the elements is kept.
  template <class Out, class F, class MakeFunction>
  SingleOutputStreamOperator<Out> ofAggregated(const std::string& function_name, F aggregate,
                                               MakeFunction make_function) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Aggregate = runtime::FunctionOf<F>;
    WIESEL_REQUIRE_PLAIN(Aggregate, "the aggregate function of a window");
    static_assert(Serializable<typename Aggregate::Accumulator>,
                  "wiesel: the accumulator of an AggregateFunction is state and cannot be "
                  "serialized; describe the struct with WIESEL_DESCRIBE");
    const runtime::FunctionPrototype<F> prototype{std::move(aggregate)};
    if constexpr (Windowing::kEvicts) {
      return evicting<Out>(function_name, [prototype, make_function] {
        return AggregateElements<Aggregate, decltype(make_function())>{prototype.make(),
                                                                       make_function()};
      });
    } else {
      return add<Out>(
          function_name,
          [prototype] { return runtime::AggregatedWindow<W, Aggregate>(prototype.make()); },
          std::move(make_function));
    }
  }

 private:
  template <class Out, class MakeFunction>
  SingleOutputStreamOperator<Out> evicting(const std::string& function_name,
                                           MakeFunction make_function) const {
    return add<Out>(
        function_name, [] { return runtime::TimestampedElementsOfWindow<W, T>(); },
        [evictor = windowing.evictor, make_function = std::move(make_function)] {
          return EvictAround<T, W, decltype(make_function())>{evictor, make_function()};
        });
  }

  /// `make_contents` and `make_function` give each subtask its own.
  template <class Out, class MakeContents, class MakeFunction>
  SingleOutputStreamOperator<Out> add(const std::string& function_name, MakeContents make_contents,
                                      MakeFunction make_function) const {
    runtime::StreamNode node;
    node.name = "Window(" + windowing.describe() + ", " + function_name + ")";
    if (windowing.isEventTime()) requireWatermarks(upstream, node.name);
    node.is_keyed = true;
    node.inputs = upstream.template keyedEdges<T>(key_selector);
    if (!is_parallel) {
      node.is_parallel = false;
      node.parallelism = 1;
    }
    node.make_operator = [key_selector = key_selector, windowing = windowing,
                          make_contents = std::move(make_contents),
                          make_function = std::move(make_function)] {
      return windowing.template makeOperator<Out, K>(key_selector, make_contents(),
                                                     make_function());
    };
    return SingleOutputStreamOperator<Out>(upstream.program, upstream.addNode(std::move(node)));
  }
};

/// The calls that follow window() and windowAll(). `Self` is the stream's class, with
/// with(windowing), node() and kHasKey.
/// Flink: WindowedStream, AllWindowedStream (1.20).
template <class Self, class T, class Windowing>
class WindowCalls : public FieldAggregations<Self, T> {
  using W = typename Windowing::Window;

 public:
  /// Says when a window fires, instead of the assigner's trigger. Windows that merge need one that
  /// can.
  template <class Tr>
  [[nodiscard]] auto trigger(Tr trigger) const {
    static_assert(TriggerFor<Tr, T, W>,
                  "wiesel: trigger() needs one of Flink's triggers, or a class that derives from "
                  "Trigger<T, W> for the stream's records and windows");
    WIESEL_REQUIRE_PLAIN(Tr, "a trigger");
    return self().with(withTrigger<T>(windowing(), AnyTrigger<T, W>(std::move(trigger))));
  }

  /// Removes elements of a window when it fires. All elements are kept until then.
  template <class Ev>
  [[nodiscard]] auto evictor(Ev evictor) const {
    static_assert(EvictorFor<Ev, T, W>,
                  "wiesel: evictor() needs one of Flink's evictors, or a class that derives from "
                  "Evictor<T, W> for the stream's records and windows");
    WIESEL_REQUIRE_PLAIN(Ev, "an evictor");
    return self().with(withEvictor<T>(windowing(), AnyEvictor<T, W>(std::move(evictor))));
  }

  /// How long after its end a window stays and fires again for records that are late. For
  /// event-time windows; others are never late.
  [[nodiscard]] auto allowedLateness(std::chrono::milliseconds lateness) const {
    return self().with(withAllowedLateness(windowing(), lateness));
  }

  /// Puts records that no window takes any more out at the side, where they would be dropped:
  /// read them with getSideOutput() of the window function's stream.
  [[nodiscard]] auto sideOutputLateData(OutputTag<T> tag) const {
    Windowing changed = windowing();
    changed.late_tag = std::move(tag);
    return self().with(std::move(changed));
  }

  /// One result a window, combined as the records come: `f(const T&, const T&) -> T`.
  template <class F>
  SingleOutputStreamOperator<T> reduce(F f) const {
    return self().node().template ofReduced<T>("ReduceFunction", std::move(f),
                                               [] { return EmitResult(); });
  }

  /// The same, handed to a window function: `f(const K& key, const W&, const T& reduced,
  /// Collector<Out>&)`, or a ProcessWindowFunction. Without the key behind windowAll().
  template <class Reduce, class F>
  auto reduce(Reduce reduce, F f) const {
    using Out = typename WindowResult<runtime::FunctionOf<F>>::Type;
    return self().node().template ofReduced<Out>("ReduceFunction, " + functionName<F>(),
                                                 std::move(reduce),
                                                 windowCallMaker<Self::kHasKey>(std::move(f)));
  }

  /// One result a window, of an AggregateFunction<T, Acc, Out>.
  template <class F>
  auto aggregate(F f) const {
    using Out = typename runtime::FunctionOf<F>::Output;
    return self().node().template ofAggregated<Out>("AggregateFunction", std::move(f),
                                                    [] { return EmitResult(); });
  }

  /// The same, handed to a window function as by reduce().
  template <class Aggregate, class F>
  auto aggregate(Aggregate aggregate, F f) const {
    using Out = typename WindowResult<runtime::FunctionOf<F>>::Type;
    return self().node().template ofAggregated<Out>("AggregateFunction, " + functionName<F>(),
                                                    std::move(aggregate),
                                                    windowCallMaker<Self::kHasKey>(std::move(f)));
  }

  /// Calls a ProcessWindowFunction<T, Out, K, W> with all records of a window; behind windowAll() a
  /// ProcessAllWindowFunction<T, Out, W>.
  template <class F>
  auto process(F f) const {
    using Function = runtime::FunctionOf<F>;
    static_assert(IsProcessWindowFunction<Function>,
                  "wiesel: process() on windows needs a class that derives from "
                  "ProcessWindowFunction, behind windowAll() from ProcessAllWindowFunction");
    static_assert(std::is_same_v<typename Function::Window, W>,
                  "wiesel: the window function is for another type of windows");
    return self().node().template ofElements<typename Function::Output>(
        functionName<F>(), windowCallMaker<Self::kHasKey>(std::move(f)));
  }

  /// Calls `f(const K& key, const W&, std::span<const T>, Collector<Out>&)` with all records of a
  /// window, in the order of arrival. Without the key behind windowAll().
  template <class F>
  auto apply(F f) const {
    return apply<typename runtime::FlatMapResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  template <class Out, class F>
  SingleOutputStreamOperator<Out> apply(F f) const {
    return self().node().template ofElements<Out>("WindowFunction",
                                                  windowCallMaker<Self::kHasKey>(std::move(f)));
  }

 private:
  friend class FieldAggregations<Self, T>;

  template <class F>
  static std::string functionName() {
    if constexpr (!IsProcessWindowFunction<runtime::FunctionOf<F>>) {
      return "WindowFunction";
    } else {
      return Self::kHasKey ? "ProcessWindowFunction" : "ProcessAllWindowFunction";
    }
  }

  template <class F>
  SingleOutputStreamOperator<T> aggregateField(F f) const {
    return reduce(std::move(f));
  }

  const Self& self() const { return static_cast<const Self&>(*this); }
  const Windowing& windowing() const { return self().node().windowing; }
};

}  // namespace internal

/// The records of a keyed stream in windows. Results carry the window's last timestamp. Calls
/// return a stream with what they say, and leave this one as it was.
/// Flink: WindowedStream (1.20).
template <class T, class K, class KeySelector, class Windowing>
class WindowedStream
    : public internal::WindowCalls<WindowedStream<T, K, KeySelector, Windowing>, T, Windowing> {
 public:
  static constexpr bool kHasKey = true;

  explicit WindowedStream(internal::WindowNode<T, K, KeySelector, Windowing> node)
      : node_(std::move(node)) {}

  const internal::WindowNode<T, K, KeySelector, Windowing>& node() const { return node_; }

  template <class Other>
  WindowedStream<T, K, KeySelector, Other> with(Other windowing) const {
    return WindowedStream<T, K, KeySelector, Other>(node_.with(std::move(windowing)));
  }

 private:
  internal::WindowNode<T, K, KeySelector, Windowing> node_;
};

namespace internal {

/// One key for all records. Flink: NullByteKeySelector (1.20).
struct SelectNullByte {
  template <class T>
  int8_t operator()(const T&) const {
    return 0;
  }
};

}  // namespace internal

/// All records of a stream in windows, in one subtask.
/// Flink: AllWindowedStream (1.20).
template <class T, class Windowing>
class AllWindowedStream
    : public internal::WindowCalls<AllWindowedStream<T, Windowing>, T, Windowing> {
 public:
  static constexpr bool kHasKey = false;
  using Node = internal::WindowNode<T, int8_t, internal::SelectNullByte, Windowing>;

  explicit AllWindowedStream(Node node) : node_(std::move(node)) {}

  const Node& node() const { return node_; }

  template <class Other>
  AllWindowedStream<T, Other> with(Other windowing) const {
    return AllWindowedStream<T, Other>(node_.with(std::move(windowing)));
  }

 private:
  Node node_;
};

namespace internal {

/// Begins the windows of a stream; `is_parallel` is false for windowAll().
template <class T>
struct BeginWindows {
  template <class K, class KeySelector, class Windowing>
  static WindowedStream<T, K, KeySelector, Windowing> keyed(const Upstream& upstream,
                                                            const KeySelector& key_selector,
                                                            Windowing windowing) {
    return WindowedStream<T, K, KeySelector, Windowing>(
        {upstream, key_selector, std::move(windowing), true});
  }

  template <class Windowing>
  static AllWindowedStream<T, Windowing> all(const Upstream& upstream, Windowing windowing) {
    return AllWindowedStream<T, Windowing>(
        {upstream, SelectNullByte(), std::move(windowing), false});
  }

  template <class Assigner>
  static auto windowing(Assigner assigner) {
    WIESEL_REQUIRE_PLAIN(Assigner, "a window assigner");
    return windowingOf<T>(std::move(assigner));
  }

  /// n records, or every `slide` records the last n.
  template <class Stream>
  static auto counted(const Stream& global, int64_t n) {
    return global.trigger(wiesel::PurgingTrigger::of(CountTrigger::of(n)));
  }
  template <class Stream>
  static auto counted(const Stream& global, int64_t n, int64_t slide) {
    return global.evictor(wiesel::CountEvictor::of(n)).trigger(CountTrigger::of(slide));
  }
};

}  // namespace internal
}  // namespace wiesel
