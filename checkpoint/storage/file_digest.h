#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"

namespace wiesel::checkpoint {

/// The size and checksum64 of a file.
struct FileDigest {
  int64_t size = 0;
  uint64_t checksum = 0;

  bool operator==(const FileDigest&) const = default;
};

FileDigest digestOf(std::string_view bytes);

/// Reads the file in pieces of bounded size.
absl::StatusOr<FileDigest> digestFile(const FileSystem& files, const std::string& path);

/// OK when they are equal, else DataLoss that names the file and both sizes or both checksums. An
/// expected checksum of 0 is unknown and not compared.
absl::Status compareDigests(const std::string& path, const FileDigest& expected,
                            const FileDigest& actual);

}  // namespace wiesel::checkpoint
