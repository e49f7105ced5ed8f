#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/connected_streams.h"
#include "api/data_stream.h"
#include "api/keyed_stream.h"
#include "runtime/functions/broadcast_process_function.h"
#include "runtime/functions/broadcast_states.h"
#include "runtime/operators/broadcast_operators.h"

namespace wiesel {

/// A stream whose records all go to every subtask of what it is connected to, and the states that
/// are kept of them there: stream.broadcast(descriptor, ...).
/// Flink: BroadcastStream (1.20).
template <class T>
class BroadcastStream {
 public:
  /// `stream` is dealt out to all; `states` are MapStateDescriptors.
  template <class... Descriptors>
  explicit BroadcastStream(DataStream<T> stream, const Descriptors&... states)
      : stream_(std::move(stream)) {
    (states_.add(states), ...);
  }

  const DataStream<T>& stream() const { return stream_; }
  const runtime::BroadcastStates& states() const { return states_; }

 private:
  DataStream<T> stream_;
  runtime::BroadcastStates states_;
};

/// A stream of T records and a broadcast one of B records, for one function that takes both. The
/// watermark behind the function is the lower one of the two: a broadcast stream without watermarks
/// holds everything back.
/// Flink: BroadcastConnectedStream (1.20).
template <class T, class B>
class BroadcastConnectedStream {
 public:
  BroadcastConnectedStream(DataStream<T> stream, BroadcastStream<B> broadcast)
      : stream_(std::move(stream)), broadcast_(std::move(broadcast)) {}

  /// Calls a BroadcastProcessFunction<T, B, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    static_assert(
        !requires { typename Function::Key; },
        "wiesel: a KeyedBroadcastProcessFunction can only be used on a keyed stream: call keyBy() "
        "before connect()");
    using Out = typename Function::Output;
    using Operator = runtime::BroadcastProcessOperator<T, B, Out, Function>;
    return internal::addTwoInputNode<Out>(
        "Co-Process-Broadcast", false, stream_.inlet(0), broadcast_.stream().inlet(1), std::move(f),
        [states = broadcast_.states()](Function function) {
          return std::make_unique<Operator>(std::move(function), states);
        });
  }

 private:
  DataStream<T> stream_;
  BroadcastStream<B> broadcast_;
};

/// The same for a stream with keys K: its side has state and timers for each key.
/// Flink: BroadcastConnectedStream of a KeyedStream (1.20).
template <class T, class B, class K, class KeySelector>
class BroadcastConnectedKeyedStream {
 public:
  BroadcastConnectedKeyedStream(KeyedStream<T, K, KeySelector> stream, BroadcastStream<B> broadcast)
      : stream_(std::move(stream)), broadcast_(std::move(broadcast)) {}

  /// Calls a KeyedBroadcastProcessFunction<K, T, B, Out>.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    static_assert(
        requires { typename Function::Key; },
        "wiesel: a BroadcastProcessFunction can only be used on a stream without keys");
    static_assert(std::is_same_v<typename Function::Key, K>,
                  "wiesel: the KeyedBroadcastProcessFunction's key type is not the stream's");
    using Out = typename Function::Output;
    using Operator = runtime::KeyedBroadcastProcessOperator<T, B, Out, K, KeySelector, Function>;
    return internal::addTwoInputNode<Out>(
        "Co-Process-Broadcast-Keyed", true, stream_.inlet(0), broadcast_.stream().inlet(1),
        std::move(f),
        [key_selector = stream_.keySelector(), states = broadcast_.states()](Function function) {
          return std::make_unique<Operator>(key_selector, std::move(function), states);
        });
  }

 private:
  KeyedStream<T, K, KeySelector> stream_;
  BroadcastStream<B> broadcast_;
};

}  // namespace wiesel
