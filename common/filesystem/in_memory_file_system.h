#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/filesystem/file_system.h"
#include "common/mutex.h"

namespace wiesel {

/// Files in memory that behave as LocalFileSystem's do, for simulation and tests. Appended bytes
/// are visible at once. Nothing is lost when a simulated process is killed. Relative paths start at
/// "/". Thread-safe.
class InMemoryFileSystem final : public FileSystem {
 public:
  InMemoryFileSystem();

  absl::StatusOr<std::string> readAll(const std::string& path) const override;
  absl::StatusOr<std::string> readRange(const std::string& path, uint64_t offset,
                                        uint64_t size) const override;
  absl::StatusOr<std::unique_ptr<OutputFile>> openForWrite(const std::string& path,
                                                           OpenMode mode) override;
  absl::Status writeAtomically(const std::string& path, std::string_view bytes) override;
  absl::Status rename(const std::string& from, const std::string& to) override;
  absl::Status removeFile(const std::string& path) override;
  absl::Status removeAll(const std::string& path) override;
  absl::Status createDirectories(const std::string& path) override;
  absl::StatusOr<std::vector<std::string>> list(const std::string& directory) const override;
  bool exists(const std::string& path) const override;
  bool isDirectory(const std::string& path) const override;
  absl::StatusOr<uint64_t> fileSize(const std::string& path) const override;
  absl::Status truncate(const std::string& path, uint64_t size) override;
  absl::Status hardLinkOrCopy(const std::string& from, const std::string& to) override;

 private:
  class Writer;
  /// A file's bytes; shared by its names and by those who write it, as inodes are.
  struct Content {
    Mutex mutex;
    std::string bytes ABSL_GUARDED_BY(mutex);
  };
  using ContentPointer = std::shared_ptr<Content>;  // Null: a directory.
  using Nodes = std::map<std::string, ContentPointer>;

  Nodes::const_iterator find(const std::string& path) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool hasChildren(const std::string& path) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// 0 when the parent of `path` is a directory, else the errno of the operating system.
  int checkParent(const std::string& path) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int checkRename(const std::string& from, const std::string& to) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<ContentPointer> contentOf(std::string_view action, const std::string& path) const
      ABSL_LOCKS_EXCLUDED(mutex_);

  mutable Mutex mutex_;
  Nodes nodes_ ABSL_GUARDED_BY(mutex_);  // By normal path; "/" is always there.
};

}  // namespace wiesel
