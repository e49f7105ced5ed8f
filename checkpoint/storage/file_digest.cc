#include "checkpoint/storage/file_digest.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "common/xxh.h"

namespace wiesel::checkpoint {
namespace {

constexpr uint64_t kPieceBytes = 1 << 20;

}  // namespace

FileDigest digestOf(std::string_view bytes) {
  return {static_cast<int64_t>(bytes.size()), checksum64(bytes)};
}

absl::StatusOr<FileDigest> digestFile(const FileSystem& files, const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(const uint64_t size, files.fileSize(path));
  StreamingHash hash;
  for (uint64_t offset = 0; offset < size; offset += kPieceBytes) {
    const uint64_t wanted = std::min(kPieceBytes, size - offset);
    WIESEL_ASSIGN_OR_RETURN(const std::string piece, files.readRange(path, offset, wanted));
    hash.update(piece);
  }
  return FileDigest{static_cast<int64_t>(size), hash.checksum64()};
}

absl::Status compareDigests(const std::string& path, const FileDigest& expected,
                            const FileDigest& actual) {
  if (actual.size != expected.size) {
    return absl::DataLossError(
        absl::StrFormat("'%s' is torn or damaged: expected size_bytes=%d, actual size_bytes=%d",
                        path, expected.size, actual.size));
  }
  if (expected.checksum != 0 && actual.checksum != expected.checksum) {
    return absl::DataLossError(
        absl::StrFormat("'%s' is damaged: expected checksum %016x, actual checksum %016x", path,
                        expected.checksum, actual.checksum));
  }
  return absl::OkStatus();
}

}  // namespace wiesel::checkpoint
