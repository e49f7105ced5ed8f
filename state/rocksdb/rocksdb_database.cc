#include "state/rocksdb/rocksdb_database.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/checkpoint.h"
#include "state/rocksdb/rocksdb_options.h"

namespace wiesel::state {
namespace {

absl::Status failure(std::string_view operation, const std::string& directory,
                     const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return absl::InternalError(databaseErrorText(operation, directory, status));
}

/// The names of all columns; the default one alone for a database that is still to be made.
absl::StatusOr<std::vector<std::string>> columnNames(const std::string& directory,
                                                     const rocksdb::DBOptions& options) {
  const bool exists = options.env->FileExists(directory + "/CURRENT").ok();
  if (!exists && options.create_if_missing) return std::vector{rocksdb::kDefaultColumnFamilyName};
  std::vector<std::string> names;
  const auto listed = rocksdb::DB::ListColumnFamilies(options, directory, &names);
  WIESEL_RETURN_IF_ERROR(failure("list the states", directory, listed));
  return names;
}

}  // namespace

std::string databaseErrorText(std::string_view operation, const std::string& directory,
                              const rocksdb::Status& status) {
  return absl::StrFormat("cannot %s in the database in '%s': %s", operation, directory,
                         status.ToString());
}

absl::StatusOr<std::unique_ptr<RocksDbDatabase>> RocksDbDatabase::open(std::string directory,
                                                                       Mode mode) {
  RocksDbOptions options;
  options.database.create_if_missing = mode == Mode::kReadWrite;
  WIESEL_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                          columnNames(directory, options.database));
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, options.column);

  std::unique_ptr<RocksDbDatabase> database(
      new RocksDbDatabase(std::move(directory), options.column));
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      mode == Mode::kReadOnly
          ? rocksdb::DB::OpenForReadOnly(options.database, database->directory_, descriptors,
                                         &handles, &db)
          : rocksdb::DB::Open(options.database, database->directory_, descriptors, &handles, &db);
  WIESEL_RETURN_IF_ERROR(failure("open the files", database->directory_, opened));
  database->db_.reset(db);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    if (handle->GetName() == rocksdb::kDefaultColumnFamilyName) {
      database->default_column_.reset(handle);
    } else {
      database->columns_.emplace_back(handle);
    }
  }
  return database;
}

RocksDbDatabase::~RocksDbDatabase() {
  if (!db_) return;
  rocksdb::CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  columns_.clear();
  default_column_.reset();
}

std::optional<int> RocksDbDatabase::findColumn(std::string_view name) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i]->GetName() == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

absl::StatusOr<int> RocksDbDatabase::addColumn(const std::string& name) {
  if (name == rocksdb::kDefaultColumnFamilyName) {
    return absl::InvalidArgumentError(
        "a state cannot be called 'default' with state.backend.type rocksdb: give it another name");
  }
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  const auto created = db_->CreateColumnFamily(column_options_, name, &handle);
  WIESEL_RETURN_IF_ERROR(
      failure(absl::StrFormat("make a place for state '%s'", name), directory_, created));
  columns_.emplace_back(handle);
  return static_cast<int>(columns_.size()) - 1;
}

absl::Status RocksDbDatabase::checkpoint(const std::string& directory) {
  const std::string operation = absl::StrFormat("take a snapshot to '%s'", directory);
  rocksdb::Checkpoint* made = nullptr;
  const auto prepared = rocksdb::Checkpoint::Create(db_.get(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  WIESEL_RETURN_IF_ERROR(failure(operation, directory_, prepared));
  return failure(operation, directory_, checkpoint->CreateCheckpoint(directory));
}

}  // namespace wiesel::state
