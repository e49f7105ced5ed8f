#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/filesystem/file_system.h"

namespace wiesel::checkpoint {

/// Passes everything on, until a number of changing calls: from then on they fail and change
/// nothing, as after a crash or on a full disk. Not thread-safe.
class FailingFileSystem final : public FileSystem {
 public:
  explicit FailingFileSystem(FileSystem& inner) : inner_(inner) {}

  void failAfter(int changes) { changes_left_ = changes; }
  void repair() { changes_left_ = -1; }

  absl::StatusOr<std::string> readAll(const std::string& path) const override {
    return inner_.readAll(path);
  }
  absl::StatusOr<std::string> readRange(const std::string& path, uint64_t offset,
                                        uint64_t size) const override {
    return inner_.readRange(path, offset, size);
  }
  absl::StatusOr<std::unique_ptr<OutputFile>> openForWrite(const std::string& path,
                                                           OpenMode mode) override {
    if (!mayChange()) return full(path);
    return inner_.openForWrite(path, mode);
  }
  absl::Status writeAtomically(const std::string& path, std::string_view bytes) override {
    return mayChange() ? inner_.writeAtomically(path, bytes) : full(path);
  }
  absl::Status rename(const std::string& from, const std::string& to) override {
    return mayChange() ? inner_.rename(from, to) : full(to);
  }
  absl::Status removeFile(const std::string& path) override {
    return mayChange() ? inner_.removeFile(path) : full(path);
  }
  absl::Status removeAll(const std::string& path) override {
    return mayChange() ? inner_.removeAll(path) : full(path);
  }
  absl::Status createDirectories(const std::string& path) override {
    return mayChange() ? inner_.createDirectories(path) : full(path);
  }
  absl::StatusOr<std::vector<std::string>> list(const std::string& directory) const override {
    return inner_.list(directory);
  }
  bool exists(const std::string& path) const override { return inner_.exists(path); }
  bool isDirectory(const std::string& path) const override { return inner_.isDirectory(path); }
  absl::StatusOr<uint64_t> fileSize(const std::string& path) const override {
    return inner_.fileSize(path);
  }
  absl::Status truncate(const std::string& path, uint64_t size) override {
    return mayChange() ? inner_.truncate(path, size) : full(path);
  }
  absl::Status hardLinkOrCopy(const std::string& from, const std::string& to) override {
    return mayChange() ? inner_.hardLinkOrCopy(from, to) : full(to);
  }

 private:
  bool mayChange() {
    if (changes_left_ < 0) return true;
    return changes_left_ > 0 && changes_left_-- > 0;
  }
  static absl::Status full(const std::string& path) {
    return absl::ResourceExhaustedError("'" + path + "': no space left on device (free_bytes=0)");
  }

  FileSystem& inner_;  // Not owned.
  int changes_left_ = -1;
};

}  // namespace wiesel::checkpoint
