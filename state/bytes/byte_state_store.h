#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

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

  /// The number of the state's column, made when it is new. Fails when a restored column of that
  /// name holds another kind or type.
  virtual int openColumn(const StateInfo& info) = 0;

  /// Returns false when there is nothing under `key`.
  virtual bool get(int column, std::string_view key, std::string* value) = 0;
  virtual void put(int column, std::string_view key, std::string_view value) = 0;
  /// Appends to what is there, after a comma byte if there is something: how lists grow.
  virtual void append(int column, std::string_view key, std::string_view element) = 0;
  virtual void remove(int column, std::string_view key) = 0;
  /// Visits the entries whose key begins with `prefix`, in the order of their bytes, until `visit`
  /// returns false. The column must not change meanwhile.
  virtual void scan(
      int column, std::string_view prefix,
      const std::function<bool(std::string_view key, std::string_view value)>& visit) = 0;

  virtual KeyedSnapshot snapshot(int64_t checkpoint_id) = 0;
};

}  // namespace wiesel::state
