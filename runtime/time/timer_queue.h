#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/time/timer.h"
#include "state/heap/key_hash.h"
#include "state/heap/slot_table.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// The timers of one clock of one operator subtask, earliest first; each (time, key, namespace)
/// once. They are part of the keyed state: saved and restored with it. With a byte store they are
/// kept in a column of it too, from which they come back.
///
/// Threads: the task thread only.
/// Flink:   HeapPriorityQueueSet, KeyGroupedInternalPriorityQueue (1.20).
template <class K, class N>
class TimerQueue final : public state::HeapStateTable {
 public:
  using Entry = Timer<K, N>;

  /// `name` is the state's: "_timer_state/event_user-timers".
  TimerQueue(std::string name, state::TypedKeyedStateBackend<K>& backend)
      : info_{std::move(name), state::StateKind::kTimers, {}, Serializer<Entry>::snapshot()},
        max_parallelism_(backend.maxParallelism()),
        store_(backend.byteStore()) {
    if (store_ == nullptr) {
      backend.heapStates()->attachBorrowed(*this);
    } else {
      column_ = store_->openColumn(info_);
      loadFromStore();
    }
  }

  bool empty() const { return heap_.empty(); }
  /// Requires that there is one.
  const Entry& earliest() const { return slots_[heap_.front()]; }

  void add(Entry timer) {
    if (slotOf(timer) != kNone) return;
    if (store_ != nullptr) store_->put(column_, rowOf(timer), {});
    insert(std::move(timer));
  }

  void remove(const Entry& timer) {
    const uint32_t slot = slotOf(timer);
    if (slot == kNone) return;
    if (store_ != nullptr) store_->remove(column_, rowOf(timer));
    removeAt(places_[slot]);
  }

  /// Removes and returns the earliest timer.
  Entry pop() {
    const Entry& front = earliest();
    if (store_ != nullptr) store_->remove(column_, rowOf(front));
    Entry timer = front;
    removeAt(0);
    return timer;
  }

  const state::StateInfo& info() const override { return info_; }

  void prepareSnapshot(int first_key_group, int key_groups) override {
    first_key_group_ = first_key_group;
    by_key_group_.assign(key_groups, {});
    for (uint32_t slot : heap_) {
      by_key_group_[keyGroupOf(slots_[slot]) - first_key_group].push_back(slot);
    }
  }

  int32_t entryCount(int key_group) const override {
    return static_cast<int32_t>(by_key_group_[key_group - first_key_group_].size());
  }

  void writeEntries(int key_group, DataOutput& output) const override {
    for (uint32_t slot : by_key_group_[key_group - first_key_group_]) {
      Serializer<Entry>::write(slots_[slot], output);
    }
  }

  void finishSnapshot() override { by_key_group_.clear(); }

  /// The keys of timers are no numbers.
  void forEachKey(const std::function<void(uint32_t)>&) const override {}

  void readEntries(int32_t count, DataInput& input) override {
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      Entry timer;
      Serializer<Entry>::read(timer, input);
      if (input.ok() && slotOf(timer) == kNone) insert(std::move(timer));
    }
  }

 private:
  static constexpr uint32_t kNone = state::SlotTable::kNone;

  static uint32_t hashOf(const Entry& timer) {
    return static_cast<uint32_t>(state::internal::combineHashes(
        state::internal::combineHashes(state::keyHash(timer.timestamp_ms),
                                       state::keyHash(timer.key)),
        state::keyHash(timer.ns)));
  }

  int keyGroupOf(const Entry& timer) const {
    return state::keyGroupFor(Serializer<K>::hashCode(timer.key), max_parallelism_);
  }

  std::string_view rowOf(const Entry& timer) {
    row_.clear();
    state::writeKeyGroupPrefix(keyGroupOf(timer), max_parallelism_, row_);
    Serializer<Entry>::write(timer, row_);
    return row_.view();
  }

  void loadFromStore() {
    const size_t prefix = state::keyGroupPrefixLength(max_parallelism_);
    store_->scan(column_, {}, [&](std::string_view row, std::string_view) {
      insert(state::decodeValue<Entry>(row.substr(prefix)));
      return true;
    });
  }

  uint32_t slotOf(const Entry& timer) const {
    return index_.find(hashOf(timer), [&](uint32_t slot) {
      const Entry& known = slots_[slot];
      return known.timestamp_ms == timer.timestamp_ms && known.ns == timer.ns &&
             state::sameKey(known.key, timer.key);
    });
  }

  void insert(Entry timer) {
    uint32_t slot = static_cast<uint32_t>(slots_.size());
    index_.insert(hashOf(timer), free_.empty() ? slot : free_.back());
    if (free_.empty()) {
      slots_.push_back(std::move(timer));
      places_.push_back(0);
    } else {
      slot = free_.back();
      free_.pop_back();
      slots_[slot] = std::move(timer);
    }
    heap_.push_back(slot);
    siftUp(heap_.size() - 1);
  }

  void removeAt(size_t place) {
    const uint32_t slot = heap_[place];
    index_.erase(hashOf(slots_[slot]), slot);
    slots_[slot] = Entry{};
    free_.push_back(slot);
    const uint32_t last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    put(place, last);
    siftUp(place);
    siftDown(places_[last]);
  }

  bool before(uint32_t left, uint32_t right) const {
    return slots_[left].timestamp_ms < slots_[right].timestamp_ms;
  }

  void put(size_t place, uint32_t slot) {
    heap_[place] = slot;
    places_[slot] = static_cast<uint32_t>(place);
  }

  void siftUp(size_t place) {
    const uint32_t slot = heap_[place];
    while (place > 0 && before(slot, heap_[(place - 1) / 2])) {
      put(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    put(place, slot);
  }

  void siftDown(size_t place) {
    const uint32_t slot = heap_[place];
    for (size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], slot)) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, slot);
  }

  const state::StateInfo info_;
  const int max_parallelism_;
  state::ByteStateStore* const store_;  // Null when state lives in memory.
  int column_ = 0;
  DataOutput row_;
  std::vector<Entry> slots_;
  std::vector<uint32_t> places_;  // By slot: its place in heap_.
  std::vector<uint32_t> free_;
  std::vector<uint32_t> heap_;  // Slots, a binary heap by time.
  state::SlotTable index_;
  int first_key_group_ = 0;
  std::vector<std::vector<uint32_t>> by_key_group_;  // While a snapshot is taken.
};

}  // namespace wiesel::runtime
