#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wiesel {

/// One open file of the operating system; closed by the destructor, never inherited by a child
/// process. Errors name the path it was opened by.
class FileDescriptor {
 public:
  /// `flags` as for open(2).
  static absl::StatusOr<FileDescriptor> open(const std::string& path, int flags);

  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  /// Size in bytes; FailedPrecondition for a directory.
  absl::StatusOr<uint64_t> size() const;

  /// Reads up to `size` bytes at `offset`: fewer only at the end of the file.
  absl::StatusOr<std::string> readAt(uint64_t offset, size_t size) const;
  absl::Status write(std::string_view bytes);
  absl::Status truncate(uint64_t size);
  absl::Status sync();
  absl::Status close();

 private:
  FileDescriptor(int descriptor, std::string path);
  absl::Status errorNow(std::string_view action) const;

  int descriptor_;  // -1: closed.
  std::string path_;
};

/// Bytes that an unprivileged writer may still use on the disk of `path` (or of its nearest parent
/// that exists); 0 when unknown.
uint64_t freeBytes(const std::string& path);

}  // namespace wiesel
