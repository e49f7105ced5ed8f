#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/serialization/serializer_snapshot.h"
#include "state/key_group.h"
#include "state/keyed_snapshot.h"
#include "state/state_info.h"

namespace wiesel::state {

/// A sorted store of bytes under bytes with a column for each state: what the byte backend needs of
/// a database.
///
/// Threads: called from the task thread only.
/// Errors:  StateError.
/// Flink:   RocksDBKeyedStateBackend (1.20); keys and values are those of its database.
class ByteStateStore {
 public:
  virtual ~ByteStateStore() = default;

  /// Says of which type the keys are; once, before columns are opened. Fails when what was restored
  /// has keys of another type.
  virtual void setKeySerializer(const SerializerSnapshot& key_serializer) = 0;

  /// The number of the state's column, made when it is new; asking again for the same state gives
  /// the same number. Fails when the column of that name holds another kind or type.
  virtual int openColumn(const StateInfo& info) = 0;

  /// Returns false, with `value` unspecified, when there is nothing under `key`.
  virtual bool get(int column, std::string_view key, std::string* value) = 0;
  virtual void put(int column, std::string_view key, std::string_view value) = 0;
  /// Appends to what is there, after a comma byte if there is something: how lists grow.
  virtual void append(int column, std::string_view key, std::string_view element) = 0;
  virtual void remove(int column, std::string_view key) = 0;
  /// Removes all entries whose key begins with `prefix`.
  virtual void removePrefix(int column, std::string_view prefix) = 0;
  /// Visits the entries whose key begins with `prefix`, in the order of their bytes, until `visit`
  /// returns false. The column must not change meanwhile.
  virtual void scan(
      int column, std::string_view prefix,
      const std::function<bool(std::string_view key, std::string_view value)>& visit) = 0;

  virtual KeyedSnapshot snapshot(int64_t checkpoint_id) = 0;
};

/// What a byte store is opened for.
struct ByteStoreRequest {
  /// A local path of its own; made, and removed in the end, by the store.
  std::string directory;
  KeyGroupRange range;
  int max_parallelism = 0;
  /// What the store begins with: of several pieces or wider ones, the key groups of `range`. Their
  /// directories go to the store, also when it cannot be opened.
  std::vector<KeyedRestore> restored;
};

}  // namespace wiesel::state
