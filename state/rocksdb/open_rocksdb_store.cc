#include "state/rocksdb/open_rocksdb_store.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "state/rocksdb/rocksdb_restore.h"
#include "state/rocksdb/rocksdb_state_store.h"

namespace wiesel::state {
namespace {

void removeDirectory(const std::string& directory) {
  std::error_code ignored;
  if (!directory.empty()) std::filesystem::remove_all(directory, ignored);
}

absl::Status makeParentOf(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(directory).parent_path(), error);
  if (!error) return absl::OkStatus();
  return absl::InternalError(absl::StrFormat("cannot make the directory for the database '%s': %s",
                                             directory, error.message()));
}

absl::StatusOr<RestoredDatabase> open(const ByteStoreRequest& request) {
  removeDirectory(request.directory);
  if (absl::Status made = makeParentOf(request.directory); !made.ok()) return made;
  return restoreDatabase(request);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ByteStateStore>> openRocksDbStore(ByteStoreRequest request) {
  absl::StatusOr<RestoredDatabase> opened = open(request);
  for (const KeyedRestore& piece : request.restored) removeDirectory(piece.directory);
  if (!opened.ok()) {
    removeDirectory(request.directory);
    return opened.status();
  }
  return std::make_unique<RocksDbStateStore>(std::move(opened->database), request.range,
                                             std::move(opened->header));
}

}  // namespace wiesel::state
