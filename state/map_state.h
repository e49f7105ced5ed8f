#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "common/serialization/void_namespace.h"
#include "state/state_cells.h"

namespace wiesel {

/// A map for each key. A handle: copies mean the same state; made by RuntimeContext::getMapState. A
/// map with null values, as Java has them, is a MapState<K, std::optional<V>>.
///
/// Threads: the task's own, inside calls about a key.
/// Errors:  state::StateError, which fails the task.
/// Flink:   MapState (1.20).
template <class K, class V>
class MapState {
 public:
  MapState() = default;
  explicit MapState(state::MapCell<VoidNamespace, K, V>& cell) : cell_(&cell) {}

  std::optional<V> get(const K& key) const {
    const V* value = cell_->find({}, key);
    return value == nullptr ? std::nullopt : std::optional<V>(*value);
  }

  bool contains(const K& key) const { return cell_->find({}, key) != nullptr; }
  void put(const K& key, V value) { cell_->put({}, key, std::move(value)); }
  void remove(const K& key) { cell_->remove({}, key); }
  bool isEmpty() const { return cell_->empty({}); }
  void clear() { cell_->clear({}); }

  void putAll(const std::map<K, V>& entries) {
    for (const auto& [key, value] : entries) cell_->put({}, key, value);
  }

  // Copies of the entries, their keys or their values, in no defined order: the map may be changed
  // while one goes through them.
  std::vector<std::pair<K, V>> entries() const {
    std::vector<std::pair<K, V>> all;
    forEach([&all](const K& key, const V& value) { all.emplace_back(key, value); });
    return all;
  }
  std::vector<K> keys() const {
    std::vector<K> all;
    forEach([&all](const K& key, const V&) { all.push_back(key); });
    return all;
  }
  std::vector<V> values() const {
    std::vector<V> all;
    forEach([&all](const K&, const V& value) { all.push_back(value); });
    return all;
  }

  /// Calls `visit(key, value)` for every entry, in no defined order. The map must not change
  /// meanwhile.
  template <class Visit>
  void forEach(Visit visit) const {
    cell_->forEach({}, [&visit](const K& key, const V& value) {
      visit(key, value);
      return true;
    });
  }

 private:
  state::MapCell<VoidNamespace, K, V>* cell_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel
