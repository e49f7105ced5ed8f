#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "state/keyed_state_backend.h"
#include "state/list_state.h"
#include "state/map_state.h"
#include "state/namespaced_cells.h"
#include "state/reducing_state.h"
#include "state/state_descriptor.h"
#include "state/value_state.h"

namespace wiesel {

/// Gives out state of the current key and of one namespace, such as the window at hand. What a
/// handle means follows the namespace, so one may be kept.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError when a name is used with another type than before or than stored.
/// Flink:   KeyedStateStore (1.20).
template <class N>
class KeyedStateStore {
 public:
  /// Borrows `backend`.
  explicit KeyedStateStore(state::KeyedStateBackend& backend) : backend_(backend) {}
  KeyedStateStore(const KeyedStateStore&) = delete;
  KeyedStateStore& operator=(const KeyedStateStore&) = delete;

  template <class T>
  ValueState<T> getState(const ValueStateDescriptor<T>& descriptor) {
    return ValueState<T>(valueCell<T>(descriptor.name, state::StateKind::kValue));
  }

  template <class T>
  ListState<T> getListState(const ListStateDescriptor<T>& descriptor) {
    using Cell = state::NamespacedListCell<N, T>;
    return ListState<T>(cell<Cell>(descriptor.name, [&]() -> state::ListCell<N, T>& {
      return backend_.listCell<N, T>(descriptor.name);
    }));
  }

  template <class T>
  ReducingState<T> getReducingState(const ReducingStateDescriptor<T>& descriptor) {
    return ReducingState<T>(valueCell<T>(descriptor.name, state::StateKind::kReducing),
                            descriptor.reduce);
  }

  template <class K, class V>
  MapState<K, V> getMapState(const MapStateDescriptor<K, V>& descriptor) {
    using Cell = state::NamespacedMapCell<N, K, V>;
    return MapState<K, V>(cell<Cell>(descriptor.name, [&]() -> state::MapCell<N, K, V>& {
      return backend_.mapCell<N, K, V>(descriptor.name);
    }));
  }

  // The same by the descriptor alone.
  template <class T>
  ValueState<T> get(const ValueStateDescriptor<T>& descriptor) {
    return getState(descriptor);
  }
  template <class T>
  ListState<T> get(const ListStateDescriptor<T>& descriptor) {
    return getListState(descriptor);
  }
  template <class T>
  ReducingState<T> get(const ReducingStateDescriptor<T>& descriptor) {
    return getReducingState(descriptor);
  }
  template <class K, class V>
  MapState<K, V> get(const MapStateDescriptor<K, V>& descriptor) {
    return getMapState(descriptor);
  }

  /// Combines the state of the namespaces `sources` into the current one's; theirs is gone then.
  template <class T>
  void mergeFrom(const std::vector<N>& sources, const ReducingStateDescriptor<T>& descriptor) {
    state::mergeValues(backend_.valueCell<N, T>(descriptor.name, state::StateKind::kReducing),
                       current_, sources, descriptor.reduce);
  }
  template <class T>
  void mergeFrom(const std::vector<N>& sources, const ListStateDescriptor<T>& descriptor) {
    state::mergeLists(backend_.listCell<N, T>(descriptor.name), current_, sources);
  }

  const N& currentNamespace() const { return current_; }
  void setCurrentNamespace(const N& ns) { current_ = ns; }

 private:
  struct AdapterBase {
    virtual ~AdapterBase() = default;
    state::StateKind kind = state::StateKind::kValue;
  };
  template <class Cell>
  struct Adapter final : AdapterBase {
    template <class Inner>
    Adapter(Inner& inner, const N& current) : cell(inner, current) {}
    Cell cell;
  };

  template <class T>
  state::NamespacedValueCell<N, T>& valueCell(const std::string& name, state::StateKind kind) {
    using Cell = state::NamespacedValueCell<N, T>;
    return cell<Cell>(
        name, [&]() -> state::ValueCell<N, T>& { return backend_.valueCell<N, T>(name, kind); },
        kind);
  }

  /// The adapter of that name; asks the backend when it is new, or of another type than before,
  /// which the backend refuses.
  template <class Cell, class Open>
  Cell& cell(const std::string& name, Open open, state::StateKind kind = state::StateKind::kValue) {
    const auto known = adapters_.find(name);
    if (known != adapters_.end() && known->second->kind == kind) {
      if (auto* adapter = dynamic_cast<Adapter<Cell>*>(known->second.get())) return adapter->cell;
    }
    auto adapter = std::make_unique<Adapter<Cell>>(open(), current_);
    adapter->kind = kind;
    Cell& result = adapter->cell;
    adapters_[name] = std::move(adapter);
    return result;
  }

  state::KeyedStateBackend& backend_;
  N current_{};
  std::map<std::string, std::unique_ptr<AdapterBase>, std::less<>> adapters_;
};

}  // namespace wiesel
