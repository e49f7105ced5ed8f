#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wiesel {

/// A file being written. Not thread-safe. Destroying an open file closes it and drops the error.
class OutputFile {
 public:
  virtual ~OutputFile() = default;

  virtual absl::Status append(std::string_view bytes) = 0;

  /// After it, readers of the path see all appended bytes.
  virtual absl::Status flush() = 0;

  /// Flushes, then waits until the bytes would survive a crash of the machine.
  virtual absl::Status sync() = 0;

  /// Flushes and releases the file. Idempotent; other calls after it fail.
  virtual absl::Status close() = 0;
};

enum class OpenMode { kTruncate, kAppend };

/// Files by path. Paths are plain, absolute or relative to the working directory, without a scheme.
///
/// Threads: thread-safe for different paths, and for readers of one path.
/// Errors:  NotFound (path or parent missing), AlreadyExists, PermissionDenied, ResourceExhausted
///          (disk full, with the free bytes), FailedPrecondition (a file where a directory is
///          needed or the reverse, directory not empty), else Unavailable or Internal. Each names
///          the path and the errno text.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual absl::StatusOr<std::string> readAll(const std::string& path) const = 0;

  /// Reads exactly `size` bytes from `offset`; OutOfRange when the file ends before.
  virtual absl::StatusOr<std::string> readRange(const std::string& path, uint64_t offset,
                                                uint64_t size) const = 0;

  /// Creates the file when it is missing; the parent must exist.
  virtual absl::StatusOr<std::unique_ptr<OutputFile>> openForWrite(const std::string& path,
                                                                   OpenMode mode) = 0;

  /// Replaces the file by `bytes` durably: readers and crashes see the old or the new content,
  /// never a part. On failure the old content is left and no temporary file.
  virtual absl::Status writeAtomically(const std::string& path, std::string_view bytes) = 0;

  /// Moves a file or directory within one file system; replaces a file that is in the way. Durable
  /// when it returns.
  virtual absl::Status rename(const std::string& from, const std::string& to) = 0;

  /// NotFound when it is missing.
  virtual absl::Status removeFile(const std::string& path) = 0;

  /// Removes a file, or a directory with all that is in it. OK when it is missing.
  virtual absl::Status removeAll(const std::string& path) = 0;

  /// With parents. OK when it exists.
  virtual absl::Status createDirectories(const std::string& path) = 0;

  /// The names (no paths) in a directory, sorted.
  virtual absl::StatusOr<std::vector<std::string>> list(const std::string& directory) const = 0;

  virtual bool exists(const std::string& path) const = 0;
  virtual bool isDirectory(const std::string& path) const = 0;
  virtual absl::StatusOr<uint64_t> fileSize(const std::string& path) const = 0;

  /// Cuts the file to `size` bytes durably; OutOfRange when it is shorter.
  virtual absl::Status truncate(const std::string& path, uint64_t size) = 0;

  /// Gives the bytes of `from` a second name; copies when linking is impossible. AlreadyExists when
  /// `to` exists. `from` must not change afterwards.
  virtual absl::Status hardLinkOrCopy(const std::string& from, const std::string& to) = 0;
};

/// "file:///x", "file:/x" and "/x" all give "/x". Other schemes are left as they are.
std::string stripFileScheme(std::string_view uri_or_path);

/// "/x" gives "file:/x", as Flink prints local paths. Other schemes are left as they are.
std::string toFileUri(std::string_view path);

/// "a", "b" and "a/", "b" give "a/b".
std::string joinPath(std::string_view directory, std::string_view name);

/// "a/b" gives "a"; "b" gives "."; "/b" gives "/".
std::string parentPath(std::string_view path);

}  // namespace wiesel
