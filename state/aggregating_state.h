#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"
#include "state/state_descriptor.h"

namespace wiesel {

/// One accumulator for each key, into which In values are added and from which an Out is taken. A
/// handle: copies mean the same state; made by RuntimeContext::getAggregatingState.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError, which fails the task.
/// Flink:   AggregatingState (1.20).
template <class In, class Out>
class AggregatingState {
 public:
  AggregatingState() = default;

  template <class Acc>
  AggregatingState(state::ValueCell<VoidNamespace, Acc>& cell,
                   std::shared_ptr<const state::Aggregation<In, Acc, Out>> function)
      : accumulator_(std::make_shared<Of<Acc>>(cell, std::move(function))) {}

  /// The result of what was added, if anything was.
  std::optional<Out> get() const { return accumulator_->get(); }
  void add(const In& value) { accumulator_->add(value); }
  void clear() { accumulator_->clear(); }

 private:
  struct Accumulator {
    virtual ~Accumulator() = default;
    virtual std::optional<Out> get() = 0;
    virtual void add(const In& value) = 0;
    virtual void clear() = 0;
  };

  template <class Acc>
  struct Of final : Accumulator {
    Of(state::ValueCell<VoidNamespace, Acc>& cell,
       std::shared_ptr<const state::Aggregation<In, Acc, Out>> function)
        : cell(cell), function(std::move(function)) {}

    std::optional<Out> get() override {
      const Acc* known = cell.find({});
      return known == nullptr ? std::nullopt : std::optional<Out>(function->getResult(*known));
    }
    void add(const In& value) override {
      const Acc* known = cell.find({});
      cell.put({}, function->add(value, known == nullptr ? function->createAccumulator() : *known));
    }
    void clear() override { cell.clear({}); }

    state::ValueCell<VoidNamespace, Acc>& cell;  // Owned by the backend.
    const std::shared_ptr<const state::Aggregation<In, Acc, Out>> function;
  };

  std::shared_ptr<Accumulator> accumulator_;  // Shared by the copies of the handle.
};

}  // namespace wiesel
