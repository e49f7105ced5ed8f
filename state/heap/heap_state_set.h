#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/serialization/serializer_snapshot.h"
#include "state/heap/heap_key_store.h"
#include "state/heap/skip_value.h"
#include "state/key_group.h"
#include "state/keyed_snapshot.h"
#include "state/keyed_state_header.h"
#include "state/state_info.h"

namespace wiesel::state {

/// All states of one heap backend: takes them together into a snapshot and gives each, when the
/// program declares it, the entries that were restored for it. What nobody declares stays as bytes
/// and goes into the next snapshot as it came.
///
/// Errors:  StateError.
/// Flink:   HeapSnapshotStrategy, HeapRestoreOperation (1.20).
class HeapStateSet {
 public:
  HeapStateSet(const HeapKeyStore& keys, SerializerSnapshot key_serializer, KeyGroupRange range);

  /// Cuts a restored stream into the blocks of its states, for the key groups of our range.
  void addRestored(const KeyedRestore& restored);

  /// Adds a table (owned by the set from then on) and fills it with what was restored under its
  /// name.
  void attach(std::unique_ptr<HeapStateTable> table);
  /// The same for a table that somebody else owns, and keeps until the set is used no more.
  void attachBorrowed(HeapStateTable& table);

  KeyedSnapshot snapshot() const;

  /// Calls `visit` for the key of every entry of the state of that name, if it is attached.
  void forEachKey(const std::string& name, const std::function<void(uint32_t key)>& visit) const;

 private:
  struct Block {
    int32_t count = 0;
    std::string_view entries;
  };
  /// The types of what an entry of one state consists of, in this order.
  using EntrySkipper = std::vector<ValueSkipper>;
  struct Unclaimed {
    StateInfo info;
    std::multimap<int, Block> blocks;  // By key group.
  };

  void addKeyGroup(const KeyedStateHeader& header, const std::vector<EntrySkipper>& skippers,
                   int key_group, std::string_view bytes);
  void addBlock(const StateInfo& info, int key_group, Block block);
  void checkNewName(const StateInfo& info) const;
  void claim(HeapStateTable& table);
  void writeKeyGroup(int key_group, DataOutput& output) const;

  const HeapKeyStore& keys_;
  const SerializerSnapshot key_serializer_;
  const KeyGroupRange range_;
  std::vector<std::unique_ptr<HeapStateTable>> owned_;
  std::vector<HeapStateTable*> tables_;
  std::map<std::string, Unclaimed> unclaimed_;
  std::vector<std::shared_ptr<const std::string>> restored_streams_;  // Hold the blocks' bytes.
};

}  // namespace wiesel::state
