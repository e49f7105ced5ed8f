#include "state/rocksdb/rocksdb_restore.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/status_macros.h"
#include "rocksdb/write_batch.h"
#include "state/bytes/byte_key.h"
#include "state/rocksdb/range_scan.h"
#include "state/rocksdb/rocksdb_options.h"
#include "state/state_compatibility.h"
#include "state/state_error.h"

namespace wiesel::state {
namespace {

using Mode = RocksDbDatabase::Mode;

absl::StatusOr<KeyedStateHeader> readHeader(const KeyedRestore& piece) {
  DataInput input(*piece.stream);
  KeyedStateHeader header = KeyedStateHeader::read(input);
  if (!input.ok()) return absl::DataLossError("restored keyed state: " + input.error());
  return header;
}

/// The columns of a database are the states of its header, each once.
absl::Status checkColumns(const KeyedStateHeader& header, const RocksDbDatabase& database) {
  for (const StateInfo& info : header.states) {
    if (database.findColumn(info.name)) continue;
    return absl::DataLossError(absl::StrFormat(
        "restored keyed state: state '%s' is missing in the files of its database", info.name));
  }
  if (header.states.size() == database.columns()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrFormat("restored keyed state: the database has %d states, its description %d",
                      database.columns(), header.states.size()));
}

absl::StatusOr<RestoredDatabase> takeOver(const KeyedRestore& piece, const std::string& directory) {
  WIESEL_ASSIGN_OR_RETURN(KeyedStateHeader header, readHeader(piece));
  std::error_code error;
  std::filesystem::rename(piece.directory, directory, error);
  if (error) {
    return absl::InternalError(
        absl::StrFormat("cannot move the restored database from '%s' to '%s': %s", piece.directory,
                        directory, error.message()));
  }
  WIESEL_ASSIGN_OR_RETURN(auto database, RocksDbDatabase::open(directory, Mode::kReadWrite));
  WIESEL_RETURN_IF_ERROR(checkColumns(header, *database));
  return RestoredDatabase{std::move(database), std::move(header)};
}

/// Adds the states of `piece` to those of the pieces before it.
absl::Status mergeHeaders(KeyedStateHeader piece, std::optional<KeyedStateHeader>& all) {
  if (!all) {
    all = std::move(piece);
    return absl::OkStatus();
  }
  try {
    checkKeyType(all->key_serializer, piece.key_serializer);
    for (StateInfo& info : piece.states) {
      const auto known =
          std::find_if(all->states.begin(), all->states.end(),
                       [&info](const StateInfo& other) { return other.name == info.name; });
      if (known == all->states.end()) {
        all->states.push_back(std::move(info));
      } else {
        checkStateType(*known, info);
      }
    }
  } catch (const StateError& error) {
    return absl::InvalidArgumentError(
        absl::StrFormat("two parts of the restored state do not fit each other: %s", error.what()));
  }
  return absl::OkStatus();
}

std::string firstKeyOf(int key_group, int max_parallelism) {
  DataOutput prefix;
  writeKeyGroupPrefix(key_group, max_parallelism, prefix);
  return prefix.take();
}

/// Copies what one column holds of our key groups.
rocksdb::Status copyColumn(RangeScan& scan, rocksdb::DB& db, rocksdb::ColumnFamilyHandle* column) {
  constexpr size_t kBatchBytes = size_t{1} << 20;
  const rocksdb::WriteOptions options = writeWithoutLog();
  rocksdb::WriteBatch batch;
  for (; scan.valid(); scan.next()) {
    if (const auto added = batch.Put(column, scan.key(), scan.value()); !added.ok()) return added;
    if (batch.GetDataSize() < kBatchBytes) continue;
    if (const auto written = db.Write(options, &batch); !written.ok()) return written;
    batch.Clear();
  }
  if (!scan.status().ok() || batch.Count() == 0) return scan.status();
  return db.Write(options, &batch);
}

absl::Status copyPiece(const KeyedRestore& piece, const ByteStoreRequest& request,
                       RestoredDatabase& target) {
  WIESEL_ASSIGN_OR_RETURN(KeyedStateHeader header, readHeader(piece));
  WIESEL_ASSIGN_OR_RETURN(const auto source,
                          RocksDbDatabase::open(piece.directory, Mode::kReadOnly));
  WIESEL_RETURN_IF_ERROR(checkColumns(header, *source));
  WIESEL_RETURN_IF_ERROR(mergeHeaders(std::move(header), target.header));
  const KeyGroupRange ours = piece.range.intersect(request.range);
  for (size_t i = 0; i < source->columns(); ++i) {
    const std::string& name = source->columnName(i);
    std::optional<int> column = target.database->findColumn(name);
    if (!column) {
      WIESEL_ASSIGN_OR_RETURN(column, target.database->addColumn(name));
    }
    if (ours.empty()) continue;
    RangeScan scan(source->db(), source->column(i), firstKeyOf(ours.start, request.max_parallelism),
                   firstKeyOf(ours.end + 1, request.max_parallelism));
    const auto copied = copyColumn(scan, target.database->db(), target.database->column(*column));
    if (copied.ok()) continue;
    return absl::InternalError(
        databaseErrorText(absl::StrFormat("copy state '%s' from '%s'", name, piece.directory),
                          request.directory, copied));
  }
  return absl::OkStatus();
}

absl::Status checkPieces(const ByteStoreRequest& request) {
  for (const KeyedRestore& piece : request.restored) {
    if (piece.directory.empty() || !piece.stream) {
      return absl::InvalidArgumentError("the restored keyed state is not that of a database");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RestoredDatabase> restoreDatabase(const ByteStoreRequest& request) {
  WIESEL_RETURN_IF_ERROR(checkPieces(request));
  if (request.restored.size() == 1 && request.restored[0].range == request.range) {
    return takeOver(request.restored[0], request.directory);
  }
  RestoredDatabase target;
  WIESEL_ASSIGN_OR_RETURN(target.database,
                          RocksDbDatabase::open(request.directory, Mode::kReadWrite));
  for (const KeyedRestore& piece : request.restored) {
    WIESEL_RETURN_IF_ERROR(copyPiece(piece, request, target));
  }
  return target;
}

}  // namespace wiesel::state
