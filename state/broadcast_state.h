#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>

#include "state/heap/key_hash.h"

namespace wiesel {

/// A map that every subtask of an operator holds whole, for reading. It stays the same in all of
/// them because each applies the same records of a broadcast stream to it, in the same way.
///
/// Threads: the task's own.
/// Flink:   ReadOnlyBroadcastState (1.20).
template <class K, class V>
class ReadOnlyBroadcastState {
 public:
  std::optional<V> get(const K& key) const {
    const V* value = find(key);
    return value == nullptr ? std::nullopt : std::optional<V>(*value);
  }

  /// The value in place, null when there is none. It stays until the state changes.
  const V* find(const K& key) const {
    const auto entry = entries_.find(key);
    return entry == entries_.end() ? nullptr : &entry->second;
  }

  bool contains(const K& key) const { return entries_.contains(key); }
  bool isEmpty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

  /// Calls `visit(key, value)` for every entry, in no defined order. The state must not change
  /// meanwhile.
  template <class Visit>
  void forEach(Visit visit) const {
    for (const auto& [key, value] : entries_) visit(key, value);
  }

 protected:
  ReadOnlyBroadcastState() = default;
  ~ReadOnlyBroadcastState() = default;

  std::unordered_map<K, V, state::KeyHasher<K>, state::KeyEqual<K>> entries_;
};

/// The same for the side that changes it: the function on the broadcast stream. What it does must
/// depend on the broadcast records alone, and not on their order between different keys.
/// Flink: BroadcastState, HeapBroadcastState (1.20).
template <class K, class V>
class BroadcastState : public ReadOnlyBroadcastState<K, V> {
 public:
  void put(const K& key, V value) { this->entries_.insert_or_assign(key, std::move(value)); }
  void remove(const K& key) { this->entries_.erase(key); }
  void clear() { this->entries_.clear(); }
};

}  // namespace wiesel
