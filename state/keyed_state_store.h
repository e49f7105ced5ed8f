#pragma once

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/serialization/void_namespace.h"
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
/// Errors:  state::StateError when a name is used with another type than before or than stored, and
///          for a time to live: only the state of VoidNamespace, that of the key alone, can expire.
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
    return ValueState<T>(valueCell<T>(descriptor, state::StateKind::kValue));
  }

  template <class T>
  ListState<T> getListState(const ListStateDescriptor<T>& descriptor) {
    using Cell = state::NamespacedListCell<N, T>;
    return ListState<T>(cell<Cell>(descriptor, [&]() -> state::ListCell<N, T>& {
      return backend_.listCell<N, T>(descriptor.name);
    }));
  }

  template <class T>
  ReducingState<T> getReducingState(const ReducingStateDescriptor<T>& descriptor) {
    return ReducingState<T>(valueCell<T>(descriptor, state::StateKind::kReducing),
                            descriptor.reduce);
  }

  template <class K, class V>
  MapState<K, V> getMapState(const MapStateDescriptor<K, V>& descriptor) {
    using Cell = state::NamespacedMapCell<N, K, V>;
    return MapState<K, V>(cell<Cell>(descriptor, [&]() -> state::MapCell<N, K, V>& {
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
    bool expires = false;
  };
  template <class Cell>
  struct Adapter final : AdapterBase {
    template <class Inner>
    Adapter(Inner& inner, const N& current) : cell(inner, current) {}
    Cell cell;
  };

  template <class T, class Descriptor>
  state::NamespacedValueCell<N, T>& valueCell(const Descriptor& descriptor, state::StateKind kind) {
    using Cell = state::NamespacedValueCell<N, T>;
    return cell<Cell>(
        descriptor,
        [&]() -> state::ValueCell<N, T>& {
          return backend_.valueCell<N, T>(descriptor.name, kind);
        },
        kind);
  }

  /// The adapter of that name; asks the backend when it is new, or of another type than before,
  /// which the backend refuses.
  template <class Cell, class Descriptor, class OpenPlain>
  Cell& cell(const Descriptor& descriptor, OpenPlain open_plain,
             state::StateKind kind = state::StateKind::kValue) {
    const bool expires = descriptor.time_to_live.isEnabled();
    const auto known = adapters_.find(descriptor.name);
    if (known != adapters_.end() && known->second->kind == kind &&
        known->second->expires == expires) {
      if (auto* adapter = dynamic_cast<Adapter<Cell>*>(known->second.get())) return adapter->cell;
    }
    auto adapter = std::make_unique<Adapter<Cell>>(open(descriptor, open_plain), current_);
    adapter->kind = kind;
    adapter->expires = expires;
    Cell& result = adapter->cell;
    adapters_[descriptor.name] = std::move(adapter);
    return result;
  }

  /// The backend's cell: the one behind a time to live, or else what `open_plain` gives.
  template <class Descriptor, class OpenPlain>
  auto& open(const Descriptor& descriptor, OpenPlain open_plain) {
    if constexpr (std::is_same_v<N, VoidNamespace>) {
      const auto& time_to_live = descriptor.time_to_live;
      if (time_to_live.isEnabled()) {
        return time_to_live.open(backend_, descriptor.name, time_to_live.config);
      }
    } else {
      state::requireNoTimeToLive(descriptor, "a window's");
    }
    return open_plain();
  }

  state::KeyedStateBackend& backend_;
  N current_{};
  std::map<std::string, std::unique_ptr<AdapterBase>, std::less<>> adapters_;
};

}  // namespace wiesel
