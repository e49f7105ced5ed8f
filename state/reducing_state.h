#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"

namespace wiesel {

/// One value for each key, into which others are combined. A handle: copies mean the same state.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError, which fails the task.
/// Flink:   ReducingState (1.20).
template <class T>
class ReducingState {
 public:
  using Reduce = std::function<T(const T&, const T&)>;

  ReducingState() = default;
  ReducingState(state::ValueCell<VoidNamespace, T>& cell, Reduce reduce)
      : cell_(&cell), reduce_(std::move(reduce)) {}

  /// The combined value, if anything was added.
  std::optional<T> get() const {
    const T* value = cell_->find({});
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
  }

  void add(const T& value) {
    const T* known = cell_->find({});
    cell_->put({}, known == nullptr ? value : reduce_(*known, value));
  }

  void clear() { cell_->clear({}); }

 private:
  state::ValueCell<VoidNamespace, T>* cell_ = nullptr;  // Owned by the backend.
  Reduce reduce_;
};

}  // namespace wiesel
