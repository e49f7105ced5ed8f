#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"
#include "state/state_error.h"
#include "state/state_ttl_config.h"

namespace wiesel {

namespace state {

class KeyedStateBackend;

/// A descriptor's time to live, and how a state that has one is opened: whoever does not ask for it
/// does not pay for its compilation.
template <class Cell>
struct TimeToLive {
  StateTtlConfig config;
  Cell& (*open)(KeyedStateBackend& backend, const std::string& name,
                const StateTtlConfig& config) = nullptr;

  bool isEnabled() const { return open != nullptr && config.isEnabled(); }
};

/// Throws StateError when a state has a time to live that `whose` state, such as "operator", knows
/// nothing of.
template <class Descriptor>
void requireNoTimeToLive(const Descriptor& descriptor, const std::string& whose) {
  if (!descriptor.time_to_live.isEnabled()) return;
  throw StateError("state '" + descriptor.name + "' has a time to live, which " + whose +
                   " state cannot have: leave enableTimeToLive() out");
}

/// An aggregate function, whatever its class.
template <class In, class Acc, class Out>
class Aggregation {
 public:
  virtual ~Aggregation() = default;
  virtual Acc createAccumulator() const = 0;
  virtual Acc add(const In& value, Acc accumulator) const = 0;
  virtual Out getResult(const Acc& accumulator) const = 0;
};

template <class F>
concept IsRich = requires(const F& function) {
  function.getRuntimeContext();
};

template <class In, class Acc, class Out, class F>
class AggregationBy final : public Aggregation<In, Acc, Out> {
 public:
  explicit AggregationBy(F function) : function_(std::move(function)) {}
  Acc createAccumulator() const override { return function_.createAccumulator(); }
  Acc add(const In& value, Acc accumulator) const override {
    return function_.add(value, std::move(accumulator));
  }
  Out getResult(const Acc& accumulator) const override { return function_.getResult(accumulator); }

 private:
  F function_;
};

}  // namespace state

// Names of keyed states and what belongs to them. enableTimeToLive() lets their values expire, see
// StateTtlConfig; it is defined in state/time_to_live.h.

/// Names a keyed state of one value. Flink: ValueStateDescriptor (1.20).
template <class T>
struct ValueStateDescriptor {
  std::string name;
  state::TimeToLive<state::ValueCell<VoidNamespace, T>> time_to_live{};

  void enableTimeToLive(const StateTtlConfig& config);
};

/// Names a keyed or operator state that is a list. Operator state has no time to live.
/// Flink: ListStateDescriptor (1.20).
template <class T>
struct ListStateDescriptor {
  std::string name;
  state::TimeToLive<state::ListCell<VoidNamespace, T>> time_to_live{};

  void enableTimeToLive(const StateTtlConfig& config);
};

/// Names a keyed state that is a map. Flink: MapStateDescriptor (1.20).
template <class K, class V>
struct MapStateDescriptor {
  std::string name;
  state::TimeToLive<state::MapCell<VoidNamespace, K, V>> time_to_live{};

  void enableTimeToLive(const StateTtlConfig& config);
};

/// Names a keyed state of one value into which others are combined. `reduce` is a callable, or an
/// object with reduce(): `(const T& so_far, const T& next) -> T`.
/// Flink: ReducingStateDescriptor (1.20).
template <class T>
struct ReducingStateDescriptor {
  template <class F>
  ReducingStateDescriptor(std::string state_name, F f) : name(std::move(state_name)) {
    static_assert(!state::IsRich<F>,
                  "wiesel: the function of a ReducingState cannot be a RichFunction: nobody would "
                  "open it");
    if constexpr (requires(const F& function, const T& value) { function.reduce(value, value); }) {
      reduce = [function = std::move(f)](const T& so_far, const T& next) {
        return function.reduce(so_far, next);
      };
    } else {
      reduce = std::move(f);
    }
  }

  void enableTimeToLive(const StateTtlConfig& config);

  std::string name;
  std::function<T(const T& so_far, const T& next)> reduce;
  state::TimeToLive<state::ValueCell<VoidNamespace, T>> time_to_live{};
};

/// Names a keyed state of one accumulator, into which In values are added and from which Out
/// results are taken. `function` is an AggregateFunction<In, Acc, Out>, or another object with its
/// createAccumulator(), add() and getResult().
/// Flink: AggregatingStateDescriptor (1.20).
template <class In, class Acc, class Out>
struct AggregatingStateDescriptor {
  template <class F>
  AggregatingStateDescriptor(std::string state_name, F f)
      : name(std::move(state_name)),
        function(std::make_shared<const state::AggregationBy<In, Acc, Out, F>>(std::move(f))) {
    static_assert(!state::IsRich<F>,
                  "wiesel: the function of an AggregatingState cannot be a RichFunction: nobody "
                  "would open it");
  }

  void enableTimeToLive(const StateTtlConfig& config);

  std::string name;
  std::shared_ptr<const state::Aggregation<In, Acc, Out>> function;  // Shared with the states.
  state::TimeToLive<state::ValueCell<VoidNamespace, Acc>> time_to_live{};
};

}  // namespace wiesel
