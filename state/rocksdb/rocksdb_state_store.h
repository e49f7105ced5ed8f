#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/serialization/serializer_snapshot.h"
#include "rocksdb/options.h"
#include "state/bytes/byte_state_store.h"
#include "state/key_group.h"
#include "state/keyed_state_header.h"
#include "state/rocksdb/rocksdb_database.h"

namespace wiesel::state {

/// Keyed state in a database on the local disk, a column family for each state.
///
/// Owns:    the database's directory, which the destructor removes, and not those of snapshots.
/// Flink:   RocksDBKeyedStateBackend, RocksNativeFullSnapshotStrategy (1.20).
class RocksDbStateStore final : public ByteStateStore {
 public:
  /// `restored` describes the states that are in the database already; its key serializer counts
  /// when there are any.
  RocksDbStateStore(std::unique_ptr<RocksDbDatabase> database, KeyGroupRange range,
                    std::optional<KeyedStateHeader> restored);
  ~RocksDbStateStore() override;

  void setKeySerializer(const SerializerSnapshot& key_serializer) override;
  int openColumn(const StateInfo& info) override;
  bool get(int column, std::string_view key, std::string* value) override;
  void put(int column, std::string_view key, std::string_view value) override;
  void append(int column, std::string_view key, std::string_view element) override;
  void remove(int column, std::string_view key) override;
  void removePrefix(int column, std::string_view prefix) override;
  void scan(
      int column, std::string_view prefix,
      const std::function<bool(std::string_view key, std::string_view value)>& visit) override;

  /// The directory of the database, "-chk-" and the number of the checkpoint make the name of the
  /// snapshot's.
  KeyedSnapshot snapshot(int64_t checkpoint_id) override;

 private:
  struct State {
    StateInfo info;
    bool is_declared = false;  // By the program; otherwise it is only kept.
  };

  void check(const rocksdb::Status& status, std::string_view operation, int column) const;

  std::unique_ptr<RocksDbDatabase> database_;
  const KeyGroupRange range_;
  SerializerSnapshot key_serializer_;
  bool has_key_serializer_ = false;
  std::vector<State> states_;  // By column.
  const rocksdb::ReadOptions read_options_;
  const rocksdb::WriteOptions write_options_;
};

}  // namespace wiesel::state
