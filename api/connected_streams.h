#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

/// A node with two inputs.
template <class Out, class F, class MakeOperator>
DataStream<Out> addTwoInputNode(const std::shared_ptr<EnvironmentState>& environment,
                                std::string name, bool is_keyed,
                                std::vector<runtime::StreamEdge> inputs,
                                std::vector<runtime::StreamEdge> second_inputs, F f,
                                MakeOperator make_operator) {
  runtime::StreamNode node;
  node.name = std::move(name);
  node.is_keyed = is_keyed;
  node.inputs = std::move(inputs);
  node.inputs.insert(node.inputs.end(), std::make_move_iterator(second_inputs.begin()),
                     std::make_move_iterator(second_inputs.end()));
  node.make_operator = [prototype = runtime::FunctionPrototype<F>{std::move(f)},
                        make_operator = std::move(make_operator)] {
    return make_operator(prototype.make());
  };
  return DataStream<Out>(environment, environment->addNode(std::move(node)));
}

}  // namespace internal

/// Two streams, of L and of R records, whose records have keys of one type K: records of both sides
/// with equal keys come to one subtask, which has state and timers for the key.
/// Flink: ConnectedStreams of two KeyedStreams (1.20).
template <class L, class R, class K, class LeftKey, class RightKey>
class ConnectedKeyedStreams {
 public:
  ConnectedKeyedStreams(std::shared_ptr<internal::EnvironmentState> environment,
                        internal::Upstream left, LeftKey left_key, internal::Upstream right,
                        RightKey right_key)
      : environment_(std::move(environment)),
        left_(std::move(left)),
        left_key_(std::move(left_key)),
        right_(std::move(right)),
        right_key_(std::move(right_key)) {}

  /// Calls a CoMapFunction<L, R, Out>, or another class with map1() and map2().
  template <class F>
  auto map(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = std::decay_t<decltype(std::declval<Function&>().map1(std::declval<const L&>()))>;
    return add<Out, runtime::CoMapOperator<L, R, Keyed<Out, Function>>>("Co-Map", std::move(f));
  }

  /// Calls a CoFlatMapFunction<L, R, Out>, or another class with flatMap1() and flatMap2().
  template <class F>
  auto flatMap(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = internal::CoFlatMapResult<Function>;
    return add<Out, runtime::CoFlatMapOperator<L, R, Keyed<Out, Function>>>("Co-Flat Map",
                                                                            std::move(f));
  }

  /// Calls a KeyedCoProcessFunction<K, L, R, Out>, or a CoProcessFunction<L, R, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = typename Function::Output;
    using Base = runtime::WithKeyedProcessContext<Keyed<Out, Function>, K, Function>;
    constexpr bool kHasKey = requires { typename Function::Key; };
    if constexpr (kHasKey) {
      static_assert(std::is_same_v<typename Function::Key, K>,
                    "wiesel: the KeyedCoProcessFunction's key type is not the streams'");
    }
    return add<Out, runtime::CoProcessOperator<L, R, Base>>(
        kHasKey ? "Co-Keyed-Process" : "Co-Process", std::move(f));
  }

 private:
  template <class Out, class F>
  using Keyed = runtime::KeyedTwoInput<runtime::TwoInputFunctionOperator<L, R, Out, F>, L, R, K,
                                       LeftKey, RightKey>;

  template <class Out, class Operator, class F>
  DataStream<Out> add(std::string name, F f) const {
    return internal::addTwoInputNode<Out>(
        environment_, std::move(name), true, left_.template keyedEdges<L>(left_key_, 0),
        right_.template keyedEdges<R>(right_key_, 1), std::move(f),
        [left_key = left_key_, right_key = right_key_](auto function) {
          return std::make_unique<Operator>(left_key, right_key, std::move(function));
        });
  }

  std::shared_ptr<internal::EnvironmentState>
      environment_;  // Shared by all handles of one program.
  internal::Upstream left_;
  LeftKey left_key_;
  internal::Upstream right_;
  RightKey right_key_;
};

/// Two streams, of L and of R records, for one function that takes both. Each keeps how its records
/// are dealt out; the watermark behind the function is the lower one of the two.
/// Flink: ConnectedStreams (1.20).
template <class L, class R>
class ConnectedStreams {
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
    return ConnectedKeyedStreams<L, R, K, LeftKey, RightKey>(left_.environment(), left_.upstream(),
                                                             std::move(left_key), right_.upstream(),
                                                             std::move(right_key));
  }

  /// Calls a CoMapFunction<L, R, Out>, or another class with map1() and map2().
  template <class F>
  auto map(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = std::decay_t<decltype(std::declval<Function&>().map1(std::declval<const L&>()))>;
    using Base = runtime::TwoInputFunctionOperator<L, R, Out, Function>;
    return add<Out, runtime::CoMapOperator<L, R, Base>>("Co-Map", std::move(f));
  }

  /// Calls a CoFlatMapFunction<L, R, Out>, or another class with flatMap1() and flatMap2().
  template <class F>
  auto flatMap(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = internal::CoFlatMapResult<Function>;
    using Base = runtime::TwoInputFunctionOperator<L, R, Out, Function>;
    return add<Out, runtime::CoFlatMapOperator<L, R, Base>>("Co-Flat Map", std::move(f));
  }

  /// Calls a CoProcessFunction<L, R, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    static_assert(
        !requires { typename Function::Key; },
        "wiesel: a KeyedCoProcessFunction needs keys: call keyBy() on both streams "
        "before process()");
    using Out = typename Function::Output;
    using Base = runtime::WithProcessContext<runtime::TwoInputFunctionOperator<L, R, Out, Function>,
                                             Function>;
    return add<Out, runtime::CoProcessOperator<L, R, Base>>("Co-Process", std::move(f));
  }

 private:
  template <class Out, class Operator, class F>
  DataStream<Out> add(std::string name, F f) const {
    return internal::addTwoInputNode<Out>(
        left_.environment(), std::move(name), false, left_.upstream().template edges<L>(0),
        right_.upstream().template edges<R>(1), std::move(f),
        [](auto function) { return std::make_unique<Operator>(std::move(function)); });
  }

  DataStream<L> left_;
  DataStream<R> right_;
};

}  // namespace wiesel
