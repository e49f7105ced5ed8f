#pragma once

#include <cstdint>

#include "runtime/functions/broadcast_states.h"
#include "runtime/functions/collector.h"
#include "runtime/functions/process_context.h"
#include "runtime/functions/rich_function.h"
#include "state/broadcast_state.h"
#include "state/keyed_state_backend.h"
#include "state/state_descriptor.h"

namespace wiesel {

namespace runtime {

/// What a function on a stream and a broadcast one is told about the record at hand.
///
/// Threads: the task's own, only during the call that got the context.
/// Flink:   BaseBroadcastProcessFunction.BaseContext (1.20).
class BroadcastContextBase : protected ProcessContext {
 public:
  /// Both outlive the context; `element` changes from call to call.
  BroadcastContextBase(const CurrentElement& element, const BroadcastStates& states)
      : ProcessContext(element), states_(states) {}

  using ProcessContext::output;
  using ProcessContext::timestamp;

  int64_t currentProcessingTime() const { return element_.timers->currentProcessingTime(); }
  /// The smallest int64_t before the first watermark. It is the lower one of both streams.
  int64_t currentWatermark() const { return element_.timers->currentWatermark(); }

 protected:
  const BroadcastStates& states_;
};

/// For records that do not come from the broadcast stream.
/// Flink: BaseBroadcastProcessFunction.ReadOnlyContext (1.20).
class ReadOnlyBroadcastContext : public BroadcastContextBase {
 public:
  using BroadcastContextBase::BroadcastContextBase;

  /// Errors: state::StateError for a state that broadcast() was not given.
  template <class K, class V>
  const ReadOnlyBroadcastState<K, V>& getBroadcastState(
      const MapStateDescriptor<K, V>& descriptor) const {
    return states_.get(descriptor);
  }
};

/// For broadcast records. Flink: BaseBroadcastProcessFunction.Context (1.20).
class BroadcastContext : public BroadcastContextBase {
 public:
  using BroadcastContextBase::BroadcastContextBase;

  /// Errors: state::StateError for a state that broadcast() was not given.
  template <class K, class V>
  BroadcastState<K, V>& getBroadcastState(const MapStateDescriptor<K, V>& descriptor) const {
    return states_.get(descriptor);
  }
};

/// ReadOnlyBroadcastContext for a keyed stream.
/// Flink: KeyedBroadcastProcessFunction.ReadOnlyContext (1.20).
template <class K>
class KeyedReadOnlyBroadcastContext : public ReadOnlyBroadcastContext {
 public:
  KeyedReadOnlyBroadcastContext(const CurrentElement& element, const BroadcastStates& states,
                                const state::TypedKeyedStateBackend<K>& backend)
      : ReadOnlyBroadcastContext(element, states), backend_(backend) {}

  using ProcessContext::timerService;

  /// The key of the record or timer at hand.
  const K& getCurrentKey() const { return backend_.currentKey(); }

 private:
  const state::TypedKeyedStateBackend<K>& backend_;
};

/// BroadcastContext beside a keyed stream: there is no current key, but all keys can be visited.
/// Flink: KeyedBroadcastProcessFunction.Context (1.20).
template <class K>
class KeyedBroadcastContext : public BroadcastContext {
 public:
  KeyedBroadcastContext(const CurrentElement& element, const BroadcastStates& states,
                        state::TypedKeyedStateBackend<K>& backend, RuntimeContext& runtime_context)
      : BroadcastContext(element, states), backend_(backend), runtime_context_(runtime_context) {}

  /// Calls `visit(const K& key, State& state)` for each key of this subtask that has something in
  /// the keyed state, which is a ValueState or another one, as its descriptor says. What
  /// `visit` changes of it does not change who is visited. In no defined order.
  template <class Descriptor, class Visit>
  void applyToKeyedState(const Descriptor& descriptor, Visit visit) {
    auto keyed_state = stateOf(descriptor);
    for (const K& key : backend_.keysOf(descriptor.name)) {
      backend_.setCurrentKey(key);
      visit(key, keyed_state);
    }
    backend_.clearCurrentKey();
  }

 private:
  template <class T>
  ValueState<T> stateOf(const ValueStateDescriptor<T>& descriptor) {
    return runtime_context_.getState(descriptor);
  }
  template <class T>
  ListState<T> stateOf(const ListStateDescriptor<T>& descriptor) {
    return runtime_context_.getListState(descriptor);
  }
  template <class UK, class UV>
  MapState<UK, UV> stateOf(const MapStateDescriptor<UK, UV>& descriptor) {
    return runtime_context_.getMapState(descriptor);
  }
  template <class T>
  ReducingState<T> stateOf(const ReducingStateDescriptor<T>& descriptor) {
    return runtime_context_.getReducingState(descriptor);
  }
  template <class In, class Acc, class O>
  AggregatingState<In, O> stateOf(const AggregatingStateDescriptor<In, Acc, O>& descriptor) {
    return runtime_context_.getAggregatingState(descriptor);
  }

  state::TypedKeyedStateBackend<K>& backend_;
  RuntimeContext& runtime_context_;
};

}  // namespace runtime

/// A function on a stream without keys and a broadcast one: every subtask gets all records of the
/// latter and keeps what it needs of them in broadcast state.
/// Flink: BroadcastProcessFunction (1.20).
template <class In, class Broadcast, class Out>
class BroadcastProcessFunction : public RichFunction {
 public:
  using Output = Out;
  using ReadOnlyContext = runtime::ReadOnlyBroadcastContext;
  using Context = runtime::BroadcastContext;

  virtual void processElement(const In& value, ReadOnlyContext& context, Collector<Out>& out) = 0;
  virtual void processBroadcastElement(const Broadcast& value, Context& context,
                                       Collector<Out>& out) = 0;
};

/// The same for a keyed stream: with state and timers for each key on its side, and a visit to all
/// keys' state on the broadcast side.
/// Flink: KeyedBroadcastProcessFunction (1.20).
template <class K, class In, class Broadcast, class Out>
class KeyedBroadcastProcessFunction : public RichFunction {
 public:
  using Key = K;
  using Output = Out;
  using ReadOnlyContext = runtime::KeyedReadOnlyBroadcastContext<K>;
  using OnTimerContext = runtime::TimerContext<ReadOnlyContext>;
  using Context = runtime::KeyedBroadcastContext<K>;

  virtual void processElement(const In& value, ReadOnlyContext& context, Collector<Out>& out) = 0;
  virtual void processBroadcastElement(const Broadcast& value, Context& context,
                                       Collector<Out>& out) = 0;
  virtual void onTimer(int64_t timestamp_ms, OnTimerContext& context, Collector<Out>& out) {
    (void)timestamp_ms, (void)context, (void)out;
  }
};

}  // namespace wiesel
