#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/serialization/serializer.h"
#include "state/bytes/byte_cells.h"
#include "state/bytes/byte_key.h"
#include "state/bytes/byte_state_store.h"
#include "state/heap/heap_cells.h"
#include "state/heap/heap_state_set.h"
#include "state/heap/key_hash.h"
#include "state/key_group.h"
#include "state/keyed_snapshot.h"
#include "state/state_cells.h"
#include "state/state_compatibility.h"
#include "state/state_error.h"
#include "state/state_info.h"
#include "state/state_ttl_config.h"
#include "state/ttl_cells.h"

namespace wiesel::state {

/// The keyed state of one subtask, for code that knows the types of its states but not of its key.
/// Asking twice for a name gives the same cell; with other types it is a StateError.
///
/// Threads: the task thread only.
/// Flink:   AbstractKeyedStateBackend (1.20).
class KeyedStateBackend {
 public:
  virtual ~KeyedStateBackend() = default;
  KeyedStateBackend(const KeyedStateBackend&) = delete;
  KeyedStateBackend& operator=(const KeyedStateBackend&) = delete;

  template <class N, class V>
  ValueCell<N, V>& valueCell(const std::string& name, StateKind kind = StateKind::kValue) {
    using Heap = HeapValueCell<N, V>;
    return cell<ValueCell<N, V>, N, V, Heap, ByteValueCell<N, V>>(name, kind,
                                                                  Serializer<V>::snapshot());
  }

  template <class N, class E, class C = std::vector<E>>
  ListCell<N, E, C>& listCell(const std::string& name) {
    return cell<ListCell<N, E, C>, N, C, HeapListCell<N, E, C>, ByteListCell<N, E, C>>(
        name, StateKind::kList, SerializerSnapshot::list(Serializer<E>::snapshot()));
  }

  template <class N, class UK, class UV>
  MapCell<N, UK, UV>& mapCell(const std::string& name) {
    using Heap = HeapMapCell<N, UK, UV>;
    return cell<MapCell<N, UK, UV>, N, typename Heap::Map, Heap, ByteMapCell<N, UK, UV>>(
        name, StateKind::kMap, Serializer<typename Heap::Map>::snapshot());
  }

  /// The cell through which `stored`, the cell of that name, shows values that expire: a
  /// TtlValueCell, TtlListCell or TtlMapCell. Asking again gives the first one, whatever `config`.
  template <class Cell>
  Cell& ttlCell(const std::string& name, typename Cell::Stored& stored,
                const StateTtlConfig& config) {
    std::unique_ptr<CellBase>& face = cells_.at(name)->face;
    if (!face) {
      auto holder = std::make_unique<CellHolder<Cell>>();
      holder->cell = std::make_unique<Cell>(stored, TtlRules(config, now_ms_));
      face = std::move(holder);
    }
    // `stored` tells its type apart from any other.
    return *static_cast<CellHolder<Cell>*>(face.get())->cell;
  }

  /// Saves everything as it is now. The current key stays.
  virtual KeyedSnapshot snapshot(int64_t checkpoint_id) = 0;

  int maxParallelism() const { return max_parallelism_; }
  const KeyGroupRange& range() const { return range_; }

  /// Where state lives: exactly one of the two is not null.
  HeapStateSet* heapStates() const { return heap_states_; }
  ByteStateStore* byteStore() const { return byte_store_; }

 protected:
  KeyedStateBackend(KeyGroupRange range, int max_parallelism, std::function<int64_t()> now_ms)
      : range_(range), max_parallelism_(max_parallelism), now_ms_(std::move(now_ms)) {}

  void writeBackAll() {
    for (WriteBack* cell : write_backs_) cell->writeBack();
  }

  /// Of a declared state; null when there is none of that name.
  const StateInfo* infoOf(const std::string& name) const {
    const auto known = cells_.find(name);
    return known == cells_.end() ? nullptr : &known->second->info;
  }

  const KeyGroupRange range_;
  const int max_parallelism_;
  const std::function<int64_t()> now_ms_;
  HeapKeyStore* heap_keys_ = nullptr;
  HeapStateSet* heap_states_ = nullptr;
  ByteStateStore* byte_store_ = nullptr;
  const ByteKey* byte_key_ = nullptr;

 private:
  struct CellBase {
    virtual ~CellBase() = default;
    StateInfo info;
    std::unique_ptr<CellBase> face;  // Of a state whose values expire: what users see of it.
  };
  template <class Interface>
  struct CellHolder : CellBase {
    std::unique_ptr<Interface> cell;
  };

  template <class Interface, class N, class Stored, class HeapCell, class ByteCell>
  Interface& cell(const std::string& name, StateKind kind, SerializerSnapshot value_serializer) {
    StateInfo info{name, kind, Serializer<N>::snapshot(), std::move(value_serializer)};
    if (const auto known = cells_.find(name); known != cells_.end()) {
      checkDeclaredAgain(known->second->info, info);
      auto* holder = dynamic_cast<CellHolder<Interface>*>(known->second.get());
      if (holder == nullptr) {
        throw StateError("state '" + name +
                         "' is declared twice with different C++ types for the same stored type");
      }
      return *holder->cell;
    }
    auto holder = std::make_unique<CellHolder<Interface>>();
    holder->info = info;
    if (heap_states_ != nullptr) {
      auto table = std::make_unique<HeapTable<N, Stored>>(*heap_keys_, std::move(info));
      holder->cell = std::make_unique<HeapCell>(*table);
      heap_states_->attach(std::move(table));
    } else {
      auto byte_cell =
          std::make_unique<ByteCell>(*byte_store_, *byte_key_, byte_store_->openColumn(info));
      if constexpr (std::is_base_of_v<WriteBack, ByteCell>) write_backs_.push_back(byte_cell.get());
      holder->cell = std::move(byte_cell);
    }
    Interface& result = *holder->cell;
    cells_.emplace(name, std::move(holder));
    return result;
  }

  std::map<std::string, std::unique_ptr<CellBase>> cells_;
  std::vector<WriteBack*> write_backs_;
};

/// The keyed state of one subtask, for code that knows its key type.
template <class K>
class TypedKeyedStateBackend : public KeyedStateBackend {
 public:
  /// The key that all state is about until the next call.
  virtual void setCurrentKey(const K& key) = 0;

  /// Requires that a current key is set. The reference holds until the key changes or a state is
  /// declared.
  virtual const K& currentKey() const = 0;

  /// There is no current key any more: to use state before the next setCurrentKey() is an error.
  virtual void clearCurrentKey() = 0;

  /// The keys that have something in the state of that name, which is one of void namespaces and
  /// has been declared, each once and in no defined order.
  virtual std::vector<K> keysOf(const std::string& name) = 0;

 protected:
  using KeyedStateBackend::KeyedStateBackend;

  /// The key group of `key`, which must be one of ours: state under another would be lost.
  int ownKeyGroupOf(const K& key) const {
    const int key_group = keyGroupFor(Serializer<K>::hashCode(key), this->max_parallelism_);
    if (!this->range_.contains(key_group)) [[unlikely]]
      throw StateError("a key of key group " + std::to_string(key_group) +
                       " is at a subtask with key groups " + std::to_string(this->range_.start) +
                       " to " + std::to_string(this->range_.end) +
                       ": a key's hashCode must be the same whenever and wherever it is computed");
    return key_group;
  }
};

/// What a backend is made from: where it lives and what it begins with.
struct KeyedBackendSetup {
  KeyGroupRange range{0, -1};
  int max_parallelism = 0;
  /// The clock of state that expires: milliseconds since the epoch.
  std::function<int64_t()> now_ms;
  /// Null: the state lives in memory. Has been filled with what was restored.
  std::unique_ptr<ByteStateStore> byte_store;
  /// For state in memory only.
  std::vector<KeyedRestore> restored;
};

/// Keeps typed values in memory.
/// Flink: HeapKeyedStateBackend (1.20).
template <class K>
class HeapKeyedStateBackend final : public TypedKeyedStateBackend<K>, private HeapKeyStore {
 public:
  explicit HeapKeyedStateBackend(const KeyedBackendSetup& setup)
      : TypedKeyedStateBackend<K>(setup.range, setup.max_parallelism, setup.now_ms),
        states_(*this, Serializer<K>::snapshot(), setup.range) {
    this->heap_keys_ = this;
    this->heap_states_ = &states_;
    for (const KeyedRestore& restored : setup.restored) states_.addRestored(restored);
  }

  void setCurrentKey(const K& key) override {
    if (current_ != kNoKey && sameKey(keys_[current_].key, key)) return;
    clearCurrentKey();
    current_ = findOrAdd(key);
  }

  void clearCurrentKey() override {
    if (current_ == kNoKey) return;
    const uint32_t previous = current_;
    current_ = kNoKey;
    if (references_[previous] == 0) forget(previous);
  }

  std::vector<K> keysOf(const std::string& name) override {
    std::vector<K> found;
    states_.forEachKey(name, [&](uint32_t key) { found.push_back(keys_[key].key); });
    return found;
  }

  const K& currentKey() const override { return keys_[current_].key; }

  KeyedSnapshot snapshot(int64_t) override { return states_.snapshot(); }

 private:
  struct Held {
    K key;  // In a struct, since a std::vector<bool> has no elements to refer to.
  };

  static uint32_t hashOf(const K& key) { return static_cast<uint32_t>(keyHash(key)); }

  uint32_t findOrAdd(const K& key) {
    const uint32_t hash = hashOf(key);
    const uint32_t known =
        index_.find(hash, [&](uint32_t slot) { return sameKey(keys_[slot].key, key); });
    if (known != SlotTable::kNone) return known;
    const auto key_group = static_cast<uint16_t>(this->ownKeyGroupOf(key));
    uint32_t slot = static_cast<uint32_t>(keys_.size());
    if (free_.empty()) {
      keys_.push_back({key});
      key_groups_.push_back(key_group);
      references_.push_back(0);
    } else {
      slot = free_.back();
      free_.pop_back();
      keys_[slot].key = key;
      key_groups_[slot] = key_group;
    }
    index_.insert(hash, slot);
    return slot;
  }

  void forget(uint32_t slot) override {
    index_.erase(hashOf(keys_[slot].key), slot);
    keys_[slot].key = K{};
    free_.push_back(slot);
  }

  int keyGroupOf(uint32_t key) const override { return key_groups_[key]; }

  void writeKey(uint32_t key, DataOutput& output) const override {
    Serializer<K>::write(keys_[key].key, output);
  }

  uint32_t readKey(DataInput& input) override {
    K key{};
    Serializer<K>::read(key, input);
    return input.ok() ? findOrAdd(key) : kNoKey;
  }

  std::vector<Held> keys_;            // By key number.
  std::vector<uint16_t> key_groups_;  // By key number.
  std::vector<uint32_t> free_;
  SlotTable index_;
  HeapStateSet states_;
};

/// Keeps bytes in a store, in the layout of Flink's RocksDB backend.
template <class K>
class ByteKeyedStateBackend final : public TypedKeyedStateBackend<K> {
 public:
  explicit ByteKeyedStateBackend(KeyedBackendSetup setup)
      : TypedKeyedStateBackend<K>(setup.range, setup.max_parallelism, std::move(setup.now_ms)),
        store_(std::move(setup.byte_store)),
        key_(setup.max_parallelism) {
    this->byte_store_ = store_.get();
    this->byte_key_ = &key_;
    store_->setKeySerializer(Serializer<K>::snapshot());
  }

  void setCurrentKey(const K& key) override {
    if (has_key_ && sameKey(current_key_, key)) return;
    key_.set(key, this->ownKeyGroupOf(key));
    current_key_ = key;
    has_key_ = true;
  }

  const K& currentKey() const override { return current_key_; }

  void clearCurrentKey() override {
    key_.clear();
    has_key_ = false;
  }

  std::vector<K> keysOf(const std::string& name) override {
    this->writeBackAll();
    const StateInfo* info = this->infoOf(name);
    std::vector<K> found;
    if (info == nullptr) return found;
    std::string last;  // The entries of a map have a row each, one after the other.
    store_->scan(store_->openColumn(*info), {}, [&](std::string_view row, std::string_view) {
      DataInput input(row);
      input.skip(keyGroupPrefixLength(this->max_parallelism_));
      K key{};
      Serializer<K>::read(key, input);
      if (!input.ok()) throw StateError("a key of state '" + name + "': " + input.error());
      const std::string_view key_bytes = row.substr(0, input.position());
      if (key_bytes != last) found.push_back(std::move(key));
      last = key_bytes;
      return true;
    });
    return found;
  }

  KeyedSnapshot snapshot(int64_t checkpoint_id) override {
    this->writeBackAll();
    return store_->snapshot(checkpoint_id);
  }

 private:
  std::unique_ptr<ByteStateStore> store_;
  ByteKey key_;
  K current_key_{};
  bool has_key_ = false;
};

template <class K>
std::unique_ptr<TypedKeyedStateBackend<K>> makeKeyedStateBackend(KeyedBackendSetup setup) {
  if (setup.byte_store) return std::make_unique<ByteKeyedStateBackend<K>>(std::move(setup));
  return std::make_unique<HeapKeyedStateBackend<K>>(setup);
}

}  // namespace wiesel::state
