#pragma once

#include <optional>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"

namespace wiesel {

/// One value for each key. A handle: copies mean the same state; made by RuntimeContext::getState.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError, which fails the task.
/// Flink:   ValueState (1.20).
template <class T>
class ValueState {
 public:
  ValueState() = default;
  explicit ValueState(state::ValueCell<VoidNamespace, T>& cell) : cell_(&cell) {}

  /// The current key's value, if it has one.
  std::optional<T> value() const {
    const T* value = cell_->find({});
    return value == nullptr ? std::nullopt : std::optional<T>(*value);
  }

  void update(T value) { cell_->put({}, std::move(value)); }

  /// The value in place, `initial` being stored first when there is none: one look-up for reading
  /// and writing. The reference holds until the next use of any state.
  T& getOrInsert(const T& initial = T{}) { return cell_->getOrInsert({}, initial); }

  void clear() { cell_->clear({}); }

 private:
  state::ValueCell<VoidNamespace, T>* cell_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel
