#include "state/rocksdb/rocksdb_state_store.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "rocksdb/write_batch.h"
#include "state/rocksdb/range_scan.h"
#include "state/rocksdb/rocksdb_options.h"
#include "state/state_compatibility.h"
#include "state/state_error.h"

namespace wiesel::state {
namespace {

template <class Value>
Value orThrow(absl::StatusOr<Value> value) {
  if (!value.ok()) throw StateError(std::string(value.status().message()));
  return *std::move(value);
}

}  // namespace

RocksDbStateStore::RocksDbStateStore(std::unique_ptr<RocksDbDatabase> database, KeyGroupRange range,
                                     std::optional<KeyedStateHeader> restored)
    : database_(std::move(database)), range_(range), write_options_(writeWithoutLog()) {
  states_.resize(database_->columns());
  if (!restored) return;
  key_serializer_ = std::move(restored->key_serializer);
  has_key_serializer_ = true;
  for (StateInfo& info : restored->states) {
    const std::optional<int> column = database_->findColumn(info.name);
    if (column) states_[*column].info = std::move(info);
  }
}

RocksDbStateStore::~RocksDbStateStore() {
  const std::string directory = database_->directory();
  database_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

void RocksDbStateStore::check(const rocksdb::Status& status, std::string_view operation,
                              int column) const {
  if (status.ok()) [[likely]]
    return;
  throw StateError(
      databaseErrorText(absl::StrFormat("%s state '%s'", operation, database_->columnName(column)),
                        database_->directory(), status));
}

void RocksDbStateStore::setKeySerializer(const SerializerSnapshot& key_serializer) {
  if (has_key_serializer_) return checkKeyType(key_serializer_, key_serializer);
  key_serializer_ = key_serializer;
  has_key_serializer_ = true;
}

int RocksDbStateStore::openColumn(const StateInfo& info) {
  if (const std::optional<int> known = database_->findColumn(info.name)) {
    State& state = states_[*known];
    if (state.is_declared) {
      checkDeclaredAgain(state.info, info);
    } else {
      checkStateType(state.info, info);
    }
    state.is_declared = true;
    return *known;
  }
  const int column = orThrow(database_->addColumn(info.name));
  states_.push_back({info, true});
  return column;
}

bool RocksDbStateStore::get(int column, std::string_view key, std::string* value) {
  const rocksdb::Status status =
      database_->db().Get(read_options_, database_->column(column), asSlice(key), value);
  if (status.IsNotFound()) return false;
  check(status, "read", column);
  return true;
}

void RocksDbStateStore::put(int column, std::string_view key, std::string_view value) {
  check(
      database_->db().Put(write_options_, database_->column(column), asSlice(key), asSlice(value)),
      "write", column);
}

void RocksDbStateStore::append(int column, std::string_view key, std::string_view element) {
  check(database_->db().Merge(write_options_, database_->column(column), asSlice(key),
                              asSlice(element)),
        "append to", column);
}

void RocksDbStateStore::remove(int column, std::string_view key) {
  check(database_->db().Delete(write_options_, database_->column(column), asSlice(key)),
        "remove from", column);
}

void RocksDbStateStore::removePrefix(int column, std::string_view prefix) {
  constexpr int kRemovalsAtOnce = 500;
  rocksdb::WriteBatch batch;
  const auto write = [&] {
    check(database_->db().Write(write_options_, &batch), "remove from", column);
    batch.Clear();
  };
  RangeScan scan(database_->db(), database_->column(column), prefix, endOfPrefix(prefix));
  for (; scan.valid(); scan.next()) {
    check(batch.Delete(database_->column(column), scan.key()), "remove from", column);
    if (batch.Count() == kRemovalsAtOnce) write();
  }
  check(scan.status(), "scan", column);
  if (batch.Count() > 0) write();
}

void RocksDbStateStore::scan(
    int column, std::string_view prefix,
    const std::function<bool(std::string_view key, std::string_view value)>& visit) {
  RangeScan scan(database_->db(), database_->column(column), prefix, endOfPrefix(prefix));
  for (; scan.valid(); scan.next()) {
    if (!visit(asView(scan.key()), asView(scan.value()))) return;
  }
  check(scan.status(), "scan", column);
}

KeyedSnapshot RocksDbStateStore::snapshot(int64_t checkpoint_id) {
  KeyedStateHeader header;
  header.key_serializer = key_serializer_;
  for (const State& state : states_) header.states.push_back(state.info);
  DataOutput output;
  header.write(output);

  KeyedSnapshot snapshot;
  snapshot.range = range_;
  snapshot.stream = output.take();
  snapshot.directory = absl::StrFormat("%s-chk-%d", database_->directory(), checkpoint_id);
  std::error_code ignored;
  std::filesystem::remove_all(snapshot.directory, ignored);  // Of the same checkpoint, given up.
  if (const absl::Status taken = database_->checkpoint(snapshot.directory); !taken.ok()) {
    throw StateError(std::string(taken.message()));
  }
  return snapshot;
}

}  // namespace wiesel::state
