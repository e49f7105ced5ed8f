#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wiesel::state {

/// An open-addressing hash index over things that live elsewhere under slot numbers: it knows
/// hashes and slots, its user knows what a slot holds. Linear probing, deletion by shifting back,
/// at most three quarters full.
///
/// Threads: not thread-safe.
class SlotTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The slot with this hash for which `equal(slot)` holds, else kNone.
  template <class Equal>
  uint32_t find(uint32_t hash, Equal equal) const {
    if (entries_.empty()) return kNone;
    for (uint32_t position = hash & mask_;; position = (position + 1) & mask_) {
      const Entry& entry = entries_[position];
      if (entry.slot == kNone) return kNone;
      if (entry.hash == hash && equal(entry.slot)) return entry.slot;
    }
  }

  /// Requires that the slot is not in the table.
  void insert(uint32_t hash, uint32_t slot) {
    if ((size_t{size_} + 1) * 4 > entries_.size() * 3) grow();
    place(hash, slot);
    ++size_;
  }

  /// Requires that the slot is in the table under this hash.
  void erase(uint32_t hash, uint32_t slot) {
    uint32_t hole = hash & mask_;
    while (entries_[hole].slot != slot) hole = (hole + 1) & mask_;
    for (uint32_t next = (hole + 1) & mask_; entries_[next].slot != kNone;
         next = (next + 1) & mask_) {
      const uint32_t home = entries_[next].hash & mask_;
      // An entry may move back into the hole unless its home lies behind the hole.
      if (((next - home) & mask_) >= ((next - hole) & mask_)) {
        entries_[hole] = entries_[next];
        hole = next;
      }
    }
    entries_[hole].slot = kNone;
    --size_;
  }

  void clear() {
    entries_.clear();
    mask_ = 0;
    size_ = 0;
  }

  uint32_t size() const { return size_; }

 private:
  struct Entry {
    uint32_t hash = 0;
    uint32_t slot = kNone;
  };

  void place(uint32_t hash, uint32_t slot) {
    uint32_t position = hash & mask_;
    while (entries_[position].slot != kNone) position = (position + 1) & mask_;
    entries_[position] = {hash, slot};
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? kSmallest : entries_.size() * 2);
    old.swap(entries_);
    mask_ = static_cast<uint32_t>(entries_.size() - 1);
    for (const Entry& entry : old) {
      if (entry.slot != kNone) place(entry.hash, entry.slot);
    }
  }

  static constexpr size_t kSmallest = 16;

  std::vector<Entry> entries_;
  uint32_t mask_ = 0;
  uint32_t size_ = 0;
};

}  // namespace wiesel::state
