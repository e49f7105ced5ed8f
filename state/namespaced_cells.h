#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"

namespace wiesel::state {

// The cells of handles whose state is in a namespace that changes, such as the window at hand: each
// call goes to the cell of all namespaces, with the one that is current.

template <class N, class V>
class NamespacedValueCell final : public ValueCell<VoidNamespace, V> {
 public:
  NamespacedValueCell(ValueCell<N, V>& cell, const N& current) : cell_(cell), current_(current) {}

  const V* find(const VoidNamespace&) override { return cell_.find(current_); }
  V& getOrInsert(const VoidNamespace&, const V& initial) override {
    return cell_.getOrInsert(current_, initial);
  }
  void put(const VoidNamespace&, V value) override { cell_.put(current_, std::move(value)); }
  void clear(const VoidNamespace&) override { cell_.clear(current_); }

 private:
  ValueCell<N, V>& cell_;
  const N& current_;
};

template <class N, class E>
class NamespacedListCell final : public ListCell<VoidNamespace, E> {
 public:
  NamespacedListCell(ListCell<N, E>& cell, const N& current) : cell_(cell), current_(current) {}

  bool add(const VoidNamespace&, E element) override {
    return cell_.add(current_, std::move(element));
  }
  std::vector<E>* find(const VoidNamespace&) override { return cell_.find(current_); }
  void put(const VoidNamespace&, std::vector<E> elements) override {
    cell_.put(current_, std::move(elements));
  }
  void clear(const VoidNamespace&) override { cell_.clear(current_); }

 private:
  ListCell<N, E>& cell_;
  const N& current_;
};

template <class N, class UK, class UV>
class NamespacedMapCell final : public MapCell<VoidNamespace, UK, UV> {
 public:
  NamespacedMapCell(MapCell<N, UK, UV>& cell, const N& current) : cell_(cell), current_(current) {}

  const UV* find(const VoidNamespace&, const UK& key) override { return cell_.find(current_, key); }
  void put(const VoidNamespace&, const UK& key, UV value) override {
    cell_.put(current_, key, std::move(value));
  }
  void remove(const VoidNamespace&, const UK& key) override { cell_.remove(current_, key); }
  bool empty(const VoidNamespace&) override { return cell_.empty(current_); }
  void forEach(const VoidNamespace&,
               const std::function<bool(const UK&, const UV&)>& visit) override {
    cell_.forEach(current_, visit);
  }
  void clear(const VoidNamespace&) override { cell_.clear(current_); }

 private:
  MapCell<N, UK, UV>& cell_;
  const N& current_;
};

/// Combines the values of `sources` into `target`'s, `reduce(so far, next)`, and clears them.
/// Flink: AbstractHeapMergingState.mergeNamespaces (1.20).
template <class N, class V, class Reduce>
void mergeValues(ValueCell<N, V>& cell, const N& target, const std::vector<N>& sources,
                 Reduce&& reduce) {
  std::optional<V> merged;
  for (const N& source : sources) {
    const V* value = cell.find(source);
    if (value == nullptr) continue;
    merged = merged ? reduce(*merged, *value) : *value;
    cell.clear(source);
  }
  if (!merged) return;
  const V* known = cell.find(target);
  cell.put(target, known == nullptr ? std::move(*merged) : reduce(*known, *merged));
}

/// Appends the elements of the lists of `sources` to `target`'s and clears them.
/// Flink: HeapListState.mergeState (1.20).
template <class N, class E, class C>
void mergeLists(ListCell<N, E, C>& cell, const N& target, const std::vector<N>& sources) {
  for (const N& source : sources) {
    const C* found = cell.find(source);
    if (found == nullptr) continue;
    const C elements = *found;
    cell.clear(source);
    ListContainer<E, C>::forEach(elements, [&](const E& element) { cell.add(target, element); });
  }
}

}  // namespace wiesel::state
