#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"

namespace wiesel::runtime {

/// What tells whether a path still names the same bytes as before, without reading them.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size_bytes = 0;
  int64_t modified_ns = 0;

  /// NotFound, PermissionDenied, or InvalidArgument for what is no regular file.
  static absl::StatusOr<FileIdentity> of(const std::string& path);

  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

class BlobStore;

/// A binary on its way into a BlobStore, chunk by chunk. Not thread-safe. Destroying an unfinished
/// one leaves nothing behind.
class BlobUpload {
 public:
  BlobUpload(const BlobUpload&) = delete;
  BlobUpload& operator=(const BlobUpload&) = delete;
  ~BlobUpload();

  absl::Status append(std::string_view bytes);

  /// Stores what was appended. DataLoss when it does not have the promised hash.
  absl::Status finish();

 private:
  friend class BlobStore;
  BlobUpload(BlobStore& store, std::string hash, std::string temporary_path, int fd);

  BlobStore& store_;  // Not owned.
  const std::string hash_;
  const std::string temporary_path_;
  int fd_;
};

/// Job binaries by content hash (common/xxh.h), as executable files DIRECTORY/HASH. On one host and
/// file system they are hard links, so storing one costs no disk.
///
/// A file under its hash is complete: it comes there by rename. Since a link shares its bytes with
/// the file that it was made from, pathOf() looks whether that was overwritten in place.
///
/// Threads: thread-safe.
/// Errors:  each names the path and the errno text.
/// Flink:   BlobServer and PermanentBlobCache (1.20), for one kind of blob.
class BlobStore {
 public:
  /// Creates the directory. Leftovers of unfinished uploads are removed.
  static absl::StatusOr<std::unique_ptr<BlobStore>> open(const std::string& directory);

  /// Links or copies the executable at `path` into the store; returns its hash. A file that was
  /// added before and has not changed is not read again. FailedPrecondition when it cannot be
  /// executed.
  absl::StatusOr<std::string> addFile(const std::string& path) ABSL_LOCKS_EXCLUDED(mutex_);

  bool contains(const std::string& hash) const;

  /// The executable with this hash. NotFound when it is not here, DataLoss when somebody changed
  /// the file in place.
  absl::StatusOr<std::string> pathOf(const std::string& hash) ABSL_LOCKS_EXCLUDED(mutex_);

  /// InvalidArgument when `hash` is none.
  absl::StatusOr<std::unique_ptr<BlobUpload>> beginUpload(const std::string& hash)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string& directory() const { return directory_; }

 private:
  friend class BlobUpload;
  explicit BlobStore(std::string directory) : directory_(std::move(directory)) {}

  std::string blobPath(const std::string& hash) const;
  std::string newTemporaryPath() ABSL_LOCKS_EXCLUDED(mutex_);
  /// Gives the complete file its place and remembers what it is. Consumes the temporary file.
  absl::Status adopt(const std::string& temporary_path, const std::string& hash)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string directory_;

  Mutex mutex_;
  int64_t next_temporary_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<FileIdentity, std::string> hash_of_file_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, FileIdentity> stored_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::runtime
