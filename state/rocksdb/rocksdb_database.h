#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace wiesel::state {

/// What RocksDB says about a failed `operation`, with the database's directory: "cannot read state
/// 'count' in the database in '/tmp/db': IO error: ...".
std::string databaseErrorText(std::string_view operation, const std::string& directory,
                              const rocksdb::Status& status);

/// An open RocksDB database whose columns, but for RocksDB's unused "default", are numbered from 0.
///
/// Owns:    the database, which is closed by the destructor; not its directory.
/// Threads: not thread-safe.
/// Errors:  Internal, with databaseErrorText().
class RocksDbDatabase {
 public:
  enum class Mode { kReadWrite, kReadOnly };

  /// Opens the database in `directory` with all its columns. kReadWrite makes one where there is
  /// none.
  static absl::StatusOr<std::unique_ptr<RocksDbDatabase>> open(std::string directory, Mode mode);

  RocksDbDatabase(const RocksDbDatabase&) = delete;
  RocksDbDatabase& operator=(const RocksDbDatabase&) = delete;
  ~RocksDbDatabase();

  const std::string& directory() const { return directory_; }
  rocksdb::DB& db() const { return *db_; }
  size_t columns() const { return columns_.size(); }
  rocksdb::ColumnFamilyHandle* column(int number) const { return columns_[number].get(); }
  const std::string& columnName(int number) const { return columns_[number]->GetName(); }

  /// The number of the column of that name, if there is one.
  std::optional<int> findColumn(std::string_view name) const;
  absl::StatusOr<int> addColumn(const std::string& name);

  /// Writes all that is in memory to files and links the files into the new `directory`.
  absl::Status checkpoint(const std::string& directory);

 private:
  RocksDbDatabase(std::string directory, rocksdb::ColumnFamilyOptions column_options)
      : directory_(std::move(directory)), column_options_(std::move(column_options)) {}

  const std::string directory_;
  const rocksdb::ColumnFamilyOptions column_options_;
  std::unique_ptr<rocksdb::DB> db_;
  std::unique_ptr<rocksdb::ColumnFamilyHandle> default_column_;
  std::vector<std::unique_ptr<rocksdb::ColumnFamilyHandle>> columns_;
};

}  // namespace wiesel::state
