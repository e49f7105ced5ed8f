#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "state/state_info.h"

namespace wiesel::state {

/// The keys of one subtask as small numbers, so that a record pays one hash probe for its key and
/// each state of the key is an array access or a short probe away. A key lives while something
/// refers to it: an entry of a state, or being the current key.
///
/// Threads: not thread-safe; the task thread only.
class HeapKeyStore {
 public:
  virtual ~HeapKeyStore() = default;

  /// Requires that a current key is set.
  uint32_t currentKey() const { return current_; }
  bool hasCurrentKey() const { return current_ != kNoKey; }

  /// Counts an entry that belongs to the key.
  void retain(uint32_t key) { ++references_[key]; }
  /// Takes one back; the key goes with its last reference, unless it is current.
  void release(uint32_t key) {
    if (--references_[key] == 0 && key != current_) forget(key);
  }

  virtual int keyGroupOf(uint32_t key) const = 0;
  virtual void writeKey(uint32_t key, DataOutput& output) const = 0;
  /// The number of a key that is read from `input`, known before or not; meaningless when the input
  /// fails. Retain it before the next.
  virtual uint32_t readKey(DataInput& input) = 0;

 protected:
  static constexpr uint32_t kNoKey = UINT32_MAX;

  virtual void forget(uint32_t key) = 0;

  uint32_t current_ = kNoKey;
  std::vector<uint32_t> references_;  // By key number.
};

/// The entries of one state in memory, in the form in which the backend saves and restores them.
class HeapStateTable {
 public:
  virtual ~HeapStateTable() = default;
  virtual const StateInfo& info() const = 0;
  /// Sorts the entries by key group for the calls below; nothing may change in between.
  virtual void prepareSnapshot(int first_key_group, int key_groups) = 0;
  virtual int32_t entryCount(int key_group) const = 0;
  virtual void writeEntries(int key_group, DataOutput& output) const = 0;
  /// Frees what prepareSnapshot() made.
  virtual void finishSnapshot() = 0;
  /// Calls `visit` for the key of every entry.
  virtual void forEachKey(const std::function<void(uint32_t key)>& visit) const = 0;
  /// Adds `count` entries in the form that writeEntries() wrote.
  virtual void readEntries(int32_t count, DataInput& input) = 0;
};

}  // namespace wiesel::state
