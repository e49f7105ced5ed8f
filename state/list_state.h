#pragma once

#include <utility>
#include <vector>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"

namespace wiesel {

/// A list for each key. A handle: copies mean the same state; made by RuntimeContext::getListState.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError, which fails the task.
/// Flink:   ListState (1.20); an absent list reads as an empty one.
template <class T>
class ListState {
 public:
  ListState() = default;
  explicit ListState(state::ListCell<VoidNamespace, T>& cell) : cell_(&cell) {}

  void add(T element) { cell_->add({}, std::move(element)); }

  void addAll(std::vector<T> elements) {
    for (T& element : elements) cell_->add({}, std::move(element));
  }

  std::vector<T> get() const {
    const std::vector<T>* elements = cell_->find({});
    return elements == nullptr ? std::vector<T>{} : *elements;
  }

  /// Replaces the list; an empty one is none.
  void update(std::vector<T> elements) {
    if (elements.empty()) {
      cell_->clear({});
    } else {
      cell_->put({}, std::move(elements));
    }
  }

  void clear() { cell_->clear({}); }

 private:
  state::ListCell<VoidNamespace, T>* cell_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel
