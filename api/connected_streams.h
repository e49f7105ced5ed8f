#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/data_stream.h"
#include "api/keyed_stream.h"
#include "runtime/functions/co_functions.h"
#include "runtime/operators/co_operators.h"

namespace wiesel {

namespace internal {

/// What a co-function puts out: its collector's type in flatMap1().
template <class F>
using CoFlatMapResult = typename runtime::CollectedIn<
    typename runtime::CallSignature<decltype(&F::flatMap1)>::Arguments>::Type;

/// Adds a node with two inputs. Throws InvalidProgramException when they are of two programs.
template <class Out, class F, class MakeOperator>
SingleOutputStreamOperator<Out> addTwoInputNode(std::string name, bool is_keyed, Inlet first,
                                                Inlet second, F f, MakeOperator make_operator) {
  first.upstream.requireSameProgram(second.upstream);
  runtime::StreamNode node;
  node.name = std::move(name);
  node.is_keyed = is_keyed;
  node.inputs = std::move(first.edges);
  node.inputs.insert(node.inputs.end(), std::make_move_iterator(second.edges.begin()),
                     std::make_move_iterator(second.edges.end()));
  node.make_operator = [prototype = runtime::FunctionPrototype<F>{std::move(f)},
                        make_operator = std::move(make_operator)] {
    return make_operator(prototype.make());
  };
  return SingleOutputStreamOperator<Out>(first.upstream.program,
                                         first.upstream.addNode(std::move(node)));
}

/// The calls that connected streams have with keys and without. `Self` says what an operator is
/// made from (Base, ProcessBase), and adds it.
template <class Self, class L, class R>
class CoFunctionCalls {
 public:
  /// Calls a CoMapFunction<L, R, Out>, or another class with map1() and map2().
  template <class F>
  auto map(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = std::decay_t<decltype(std::declval<Function&>().map1(std::declval<const L&>()))>;
    using Base = typename Self::template Base<Out, Function>;
    return add<Out, runtime::CoMapOperator<L, R, Base>>("Co-Map", std::move(f));
  }

  /// Calls a CoFlatMapFunction<L, R, Out>, or another class with flatMap1() and flatMap2().
  template <class F>
  auto flatMap(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = CoFlatMapResult<Function>;
    using Base = typename Self::template Base<Out, Function>;
    return add<Out, runtime::CoFlatMapOperator<L, R, Base>>("Co-Flat Map", std::move(f));
  }

  /// Calls a CoProcessFunction<L, R, Out>; on streams with keys also a
  /// KeyedCoProcessFunction<K, L, R, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    Self::template requireKeyOf<Function>();
    using Out = typename Function::Output;
    using Base = typename Self::template ProcessBase<Out, Function>;
    constexpr bool kHasKey = requires { typename Function::Key; };
    return add<Out, runtime::CoProcessOperator<L, R, Base>>(
        kHasKey ? "Co-Keyed-Process" : "Co-Process", std::move(f));
  }

 private:
  template <class Out, class Operator, class F>
  auto add(std::string name, F f) const {
    return static_cast<const Self&>(*this).template add<Out, Operator>(std::move(name),
                                                                       std::move(f));
  }
};

}  // namespace internal

/// Two streams, of L and of R records, whose records have keys of one type K: records of both sides
/// with equal keys come to one subtask, which has state and timers for the key.
/// Flink: ConnectedStreams of two KeyedStreams (1.20).
template <class L, class R, class K, class LeftKey, class RightKey>
class ConnectedKeyedStreams
    : public internal::CoFunctionCalls<ConnectedKeyedStreams<L, R, K, LeftKey, RightKey>, L, R> {
 public:
  ConnectedKeyedStreams(KeyedStream<L, K, LeftKey> left, KeyedStream<R, K, RightKey> right)
      : left_(std::move(left)), right_(std::move(right)) {}

 private:
  friend class internal::CoFunctionCalls<ConnectedKeyedStreams, L, R>;

  template <class Out, class F>
  using Base = runtime::KeyedTwoInput<runtime::TwoInputFunctionOperator<L, R, Out, F>, L, R, K,
                                      LeftKey, RightKey>;
  template <class Out, class F>
  using ProcessBase = runtime::WithKeyedProcessContext<Base<Out, F>, K, F>;

  template <class F>
  static void requireKeyOf() {
    if constexpr (requires { typename F::Key; }) {
      static_assert(std::is_same_v<typename F::Key, K>,
                    "wiesel: the KeyedCoProcessFunction's key type is not the streams'");
    }
  }

  template <class Out, class Operator, class F>
  SingleOutputStreamOperator<Out> add(std::string name, F f) const {
    return internal::addTwoInputNode<Out>(
        std::move(name), true, left_.inlet(0), right_.inlet(1), std::move(f),
        [left_key = left_.keySelector(), right_key = right_.keySelector()](auto function) {
          return std::make_unique<Operator>(left_key, right_key, std::move(function));
        });
  }

  KeyedStream<L, K, LeftKey> left_;
  KeyedStream<R, K, RightKey> right_;
};

/// Two streams, of L and of R records, for one function that takes both. Each keeps how its records
/// are dealt out; the watermark behind the function is the lower one of the two.
/// Flink: ConnectedStreams (1.20).
template <class L, class R>
class ConnectedStreams : public internal::CoFunctionCalls<ConnectedStreams<L, R>, L, R> {
 public:
  ConnectedStreams(DataStream<L> left, DataStream<R> right)
      : left_(std::move(left)), right_(std::move(right)) {}

  /// Partitions both by a key of the same type: pointers to members, or callables, as in
  /// DataStream::keyBy.
  template <class LeftKey, class RightKey>
  auto keyBy(LeftKey left_key, RightKey right_key) const {
    using K = internal::KeyOf<L, LeftKey>;
    WIESEL_REQUIRE_KEY(K);
    static_assert(std::is_same_v<internal::KeyOf<R, RightKey>, K>,
                  "wiesel: both selectors of keyBy() must give keys of the same type");
    return ConnectedKeyedStreams<L, R, K, LeftKey, RightKey>(left_.keyBy(std::move(left_key)),
                                                             right_.keyBy(std::move(right_key)));
  }

 private:
  friend class internal::CoFunctionCalls<ConnectedStreams, L, R>;

  template <class Out, class F>
  using Base = runtime::TwoInputFunctionOperator<L, R, Out, F>;
  template <class Out, class F>
  using ProcessBase = runtime::WithProcessContext<Base<Out, F>, F>;

  template <class F>
  static void requireKeyOf() {
    static_assert(
        !requires { typename F::Key; },
        "wiesel: a KeyedCoProcessFunction needs keys: call keyBy() on both streams "
        "before process()");
  }

  template <class Out, class Operator, class F>
  SingleOutputStreamOperator<Out> add(std::string name, F f) const {
    return internal::addTwoInputNode<Out>(
        std::move(name), false, left_.inlet(0), right_.inlet(1), std::move(f),
        [](auto function) { return std::make_unique<Operator>(std::move(function)); });
  }

  DataStream<L> left_;
  DataStream<R> right_;
};

}  // namespace wiesel
