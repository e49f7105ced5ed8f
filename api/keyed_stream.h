#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/data_stream.h"
#include "api/field_aggregation.h"
#include "api/windowed_stream.h"
#include "runtime/operators/keyed_operator.h"

namespace wiesel {

template <class L, class R, class K, class LeftKey, class RightKey>
class ConnectedKeyedStreams;
template <class T>
class BroadcastStream;
template <class T, class B, class K, class KeySelector>
class BroadcastConnectedKeyedStream;
template <class L, class R, class K, class LeftKey, class RightKey>
class IntervalJoin;

/// A stream of T records partitioned by a key K: functions on it may use keyed state and timers.
/// sum, min, max, minBy and maxBy put out the key's result so far for each record.
/// Flink: KeyedStream (1.20).
template <class T, class K, class KeySelector>
class KeyedStream : public internal::FieldAggregations<KeyedStream<T, K, KeySelector>, T> {
 public:
  KeyedStream(internal::Upstream upstream, KeySelector key_selector)
      : upstream_(std::move(upstream)), key_selector_(std::move(key_selector)) {}

  template <class F>
  auto map(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out =
        std::decay_t<decltype(runtime::invokeMap(std::declval<Function&>(), std::declval<T>()))>;
    return add<Out, runtime::KeyedMapOperator<T, Out, K, KeySelector, Function>>("Map",
                                                                                 std::move(f));
  }

  template <class F>
  SingleOutputStreamOperator<T> filter(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return add<T, runtime::KeyedFilterOperator<T, K, KeySelector, Function>>("Filter",
                                                                             std::move(f));
  }

  template <class F>
  auto flatMap(F f) const {
    return flatMap<typename runtime::FlatMapResult<runtime::FunctionOf<F>>::Type>(std::move(f));
  }
  template <class Out, class F>
  SingleOutputStreamOperator<Out> flatMap(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return add<Out, runtime::KeyedFlatMapOperator<T, Out, K, KeySelector, Function>>("Flat Map",
                                                                                     std::move(f));
  }

  /// Calls a KeyedProcessFunction<K, T, Out>, or a ProcessFunction<T, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = typename Function::Output;
    constexpr bool kHasKey = requires { typename Function::Key; };
    if constexpr (kHasKey) {
      static_assert(std::is_same_v<typename Function::Key, K>,
                    "wiesel: the KeyedProcessFunction's key type is not the stream's");
    }
    return add<Out, runtime::KeyedProcessOperator<T, Out, K, KeySelector, Function>>(
        kHasKey ? "KeyedProcess" : "Process", std::move(f));
  }

  /// Combines each record with what its key has so far: `f(const T& so_far, const T& next) -> T`.
  template <class F>
  SingleOutputStreamOperator<T> reduce(F f) const {
    return rolling("Keyed Reduce", std::move(f));
  }

  /// The records in windows: of one of Flink's assigners, of a user's that derives from
  /// WindowAssigner<T, W>, or of a std::shared_ptr<const WindowAssigner<T, W>>.
  template <class Assigner>
  auto window(Assigner assigner) const {
    using Begin = internal::BeginWindows<T>;
    return Begin::template keyed<K>(upstream_, key_selector_,
                                    Begin::windowing(std::move(assigner)));
  }

  /// Windows of `n` records of a key each.
  auto countWindow(int64_t n) const {
    return internal::BeginWindows<T>::counted(window(GlobalWindows::create()), n);
  }
  /// The last `n` records of a key, every `slide` records.
  auto countWindow(int64_t n, int64_t slide) const {
    return internal::BeginWindows<T>::counted(window(GlobalWindows::create()), n, slide);
  }

  /// Both streams as the inputs of one function, with one state and timers for each key of either.
  template <class R, class RightKey>
  ConnectedKeyedStreams<T, R, K, KeySelector, RightKey> connect(
      const KeyedStream<R, K, RightKey>& other) const {
    return {*this, other};
  }

  /// This stream and a broadcast one as the inputs of one function.
  template <class B>
  BroadcastConnectedKeyedStream<T, B, K, KeySelector> connect(
      const BroadcastStream<B>& broadcast) const {
    return {*this, broadcast};
  }

  /// Joins records of equal keys whose timestamps are close: intervalJoin(other).between(...).
  template <class R, class RightKey>
  IntervalJoin<T, R, K, KeySelector, RightKey> intervalJoin(
      const KeyedStream<R, K, RightKey>& right) const {
    return {*this, right};
  }

  const KeySelector& keySelector() const { return key_selector_; }
  internal::Inlet inlet(int input_index) const {
    return {upstream_, upstream_.template keyedEdges<T>(key_selector_, input_index)};
  }

 private:
  friend class internal::FieldAggregations<KeyedStream, T>;

  template <class F>
  SingleOutputStreamOperator<T> aggregateField(F f) const {
    return rolling("Keyed Aggregation", std::move(f));
  }

  template <class F>
  SingleOutputStreamOperator<T> rolling(std::string name, F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    return add<T, runtime::KeyedReduceOperator<T, K, KeySelector, Function>>(std::move(name),
                                                                             std::move(f));
  }

  template <class Out, class Operator, class F>
  SingleOutputStreamOperator<Out> add(std::string name, F f) const {
    runtime::StreamNode node;
    node.name = std::move(name);
    node.is_keyed = true;
    node.inputs = upstream_.keyedEdges<T>(key_selector_);
    node.make_operator = [key_selector = key_selector_,
                          prototype = runtime::FunctionPrototype<F>{std::move(f)}] {
      return std::make_unique<Operator>(key_selector, prototype.make());
    };
    return SingleOutputStreamOperator<Out>(upstream_.program, upstream_.addNode(std::move(node)));
  }

  internal::Upstream upstream_;
  KeySelector key_selector_;
};

}  // namespace wiesel
