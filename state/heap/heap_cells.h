#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/serialization/serializer.h"
#include "common/serialization/void_namespace.h"
#include "state/heap/heap_key_store.h"
#include "state/heap/key_hash.h"
#include "state/heap/slot_table.h"
#include "state/state_cells.h"
#include "state/state_error.h"

namespace wiesel::state {

/// The entries (key, namespace) -> V of one state: values in slots, found by key number alone when
/// there is but the void namespace, else through a hash index.
/// Flink: CopyOnWriteStateTable (1.20); a snapshot is taken in the task thread for now.
template <class N, class V>
class HeapTable final : public HeapStateTable {
 public:
  HeapTable(HeapKeyStore& keys, StateInfo info) : keys_(keys), info_(std::move(info)) {}

  V* find(const N& ns) {
    const uint32_t slot = slotOf(current(), ns);
    return slot == SlotTable::kNone ? nullptr : &slots_[slot].value;
  }

  /// The value and whether it is new (then it is V{}).
  std::pair<V&, bool> findOrAdd(const N& ns) {
    const uint32_t key = current();
    uint32_t slot = slotOf(key, ns);
    const bool is_new = slot == SlotTable::kNone;
    if (is_new) slot = add(key, ns);
    return {slots_[slot].value, is_new};
  }

  void erase(const N& ns) {
    const uint32_t key = current();
    const uint32_t slot = slotOf(key, ns);
    if (slot == SlotTable::kNone) return;
    if constexpr (kByKeyAlone) {
      slot_of_key_[key] = SlotTable::kNone;
    } else {
      index_.erase(hashOf(key, ns), slot);
    }
    slots_[slot] = Slot{};
    free_slots_.push_back(slot);
    keys_.release(key);
  }

  const StateInfo& info() const override { return info_; }

  void prepareSnapshot(int first_key_group, int key_groups) override {
    first_key_group_ = first_key_group;
    by_key_group_.assign(key_groups, {});
    for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot].key == SlotTable::kNone) continue;
      by_key_group_[keys_.keyGroupOf(slots_[slot].key) - first_key_group].push_back(slot);
    }
  }

  int32_t entryCount(int key_group) const override {
    return static_cast<int32_t>(by_key_group_[key_group - first_key_group_].size());
  }

  void writeEntries(int key_group, DataOutput& output) const override {
    for (uint32_t slot : by_key_group_[key_group - first_key_group_]) {
      Serializer<N>::write(slots_[slot].ns, output);
      keys_.writeKey(slots_[slot].key, output);
      Serializer<V>::write(slots_[slot].value, output);
    }
  }

  void finishSnapshot() override { by_key_group_.clear(); }

  void forEachKey(const std::function<void(uint32_t)>& visit) const override {
    for (const Slot& slot : slots_) {
      if (slot.key != SlotTable::kNone) visit(slot.key);
    }
  }

  void readEntries(int32_t count, DataInput& input) override {
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      N ns{};
      Serializer<N>::read(ns, input);
      const uint32_t key = keys_.readKey(input);
      if (!input.ok()) return;
      const uint32_t known = slotOf(key, ns);
      const uint32_t slot = known == SlotTable::kNone ? add(key, ns) : known;
      Serializer<V>::read(slots_[slot].value, input);
    }
  }

 private:
  static constexpr bool kByKeyAlone = std::is_same_v<N, VoidNamespace>;

  struct Slot {
    uint32_t key = SlotTable::kNone;
    [[no_unique_address]] N ns{};
    V value{};
  };

  uint32_t current() const {
    if (!keys_.hasCurrentKey()) {
      throw StateError("state '" + info_.name + "' was used where there is no current key");
    }
    return keys_.currentKey();
  }

  static uint32_t hashOf(uint32_t key, const N& ns) {
    return static_cast<uint32_t>(internal::combineHashes(key + 1, keyHash(ns)));
  }

  uint32_t slotOf(uint32_t key, const N& ns) const {
    if constexpr (kByKeyAlone) {
      return key < slot_of_key_.size() ? slot_of_key_[key] : SlotTable::kNone;
    } else {
      return index_.find(hashOf(key, ns), [&](uint32_t slot) {
        return slots_[slot].key == key && slots_[slot].ns == ns;
      });
    }
  }

  uint32_t add(uint32_t key, const N& ns) {
    uint32_t slot = static_cast<uint32_t>(slots_.size());
    if (free_slots_.empty()) {
      slots_.emplace_back();
    } else {
      slot = free_slots_.back();
      free_slots_.pop_back();
    }
    slots_[slot].key = key;
    slots_[slot].ns = ns;
    if constexpr (kByKeyAlone) {
      if (key >= slot_of_key_.size()) slot_of_key_.resize(key + 1, SlotTable::kNone);
      slot_of_key_[key] = slot;
    } else {
      index_.insert(hashOf(key, ns), slot);
    }
    keys_.retain(key);
    return slot;
  }

  HeapKeyStore& keys_;
  const StateInfo info_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_slots_;
  std::vector<uint32_t> slot_of_key_;  // When kByKeyAlone.
  SlotTable index_;                    // Otherwise.
  int first_key_group_ = 0;
  std::vector<std::vector<uint32_t>> by_key_group_;  // While a snapshot is taken.
};

template <class N, class V>
class HeapValueCell final : public ValueCell<N, V> {
 public:
  explicit HeapValueCell(HeapTable<N, V>& table) : table_(table) {}

  const V* find(const N& ns) override { return table_.find(ns); }

  V& getOrInsert(const N& ns, const V& initial) override {
    auto [value, is_new] = table_.findOrAdd(ns);
    if (is_new) value = initial;
    return value;
  }

  void put(const N& ns, V value) override { table_.findOrAdd(ns).first = std::move(value); }
  void clear(const N& ns) override { table_.erase(ns); }

 private:
  HeapTable<N, V>& table_;
};

template <class N, class E, class C>
class HeapListCell final : public ListCell<N, E, C> {
 public:
  explicit HeapListCell(HeapTable<N, C>& table) : table_(table) {}

  bool add(const N& ns, E element) override {
    auto [container, is_new] = table_.findOrAdd(ns);
    ListContainer<E, C>::add(container, std::move(element));
    return is_new;
  }

  C* find(const N& ns) override { return table_.find(ns); }
  void put(const N& ns, C container) override { table_.findOrAdd(ns).first = std::move(container); }
  void clear(const N& ns) override { table_.erase(ns); }

 private:
  HeapTable<N, C>& table_;
};

template <class UK, class UV>
using HeapMap = std::unordered_map<UK, UV, KeyHasher<UK>, KeyEqual<UK>>;

template <class N, class UK, class UV>
class HeapMapCell final : public MapCell<N, UK, UV> {
 public:
  using Map = HeapMap<UK, UV>;

  explicit HeapMapCell(HeapTable<N, Map>& table) : table_(table) {}

  const UV* find(const N& ns, const UK& key) override {
    const Map* map = table_.find(ns);
    if (map == nullptr) return nullptr;
    const auto entry = map->find(key);
    return entry == map->end() ? nullptr : &entry->second;
  }

  void put(const N& ns, const UK& key, UV value) override {
    table_.findOrAdd(ns).first.insert_or_assign(key, std::move(value));
  }

  void update(const N& ns, const UK& key, const std::function<void(UV&)>& change) override {
    change(table_.findOrAdd(ns).first[key]);
  }

  void remove(const N& ns, const UK& key) override {
    Map* map = table_.find(ns);
    if (map == nullptr) return;
    map->erase(key);
    if (map->empty()) table_.erase(ns);
  }

  bool empty(const N& ns) override {
    const Map* map = table_.find(ns);
    return map == nullptr || map->empty();
  }

  void forEach(const N& ns, const std::function<bool(const UK&, const UV&)>& visit) override {
    const Map* map = table_.find(ns);
    if (map == nullptr) return;
    for (const auto& [key, value] : *map) {
      if (!visit(key, value)) return;
    }
  }

  void clear(const N& ns) override { table_.erase(ns); }

 private:
  HeapTable<N, Map>& table_;
};

}  // namespace wiesel::state
