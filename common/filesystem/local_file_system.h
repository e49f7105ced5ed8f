#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/filesystem/file_system.h"

namespace wiesel {

/// The machine's files. Has no state: instances are interchangeable.
///
/// Durability: writeAtomically, rename, truncate, createDirectories and OutputFile::sync survive a
///             crash of the machine once they return OK; hardLinkOrCopy and the removals need not.
class LocalFileSystem final : public FileSystem {
 public:
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
};

}  // namespace wiesel
