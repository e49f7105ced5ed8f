#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/proto/client.pb.h"

namespace wiesel::runtime {

/// Bytes of a binary in one message.
inline constexpr size_t kBlobChunkBytes = 1024 * 1024;

/// What the file at `path` is, for a JobManager that may be on the same host.
absl::StatusOr<proto::LocalFile> describeLocalFile(const std::string& path);

/// True when this host sees the very file that was described: same device, inode, size and time.
bool isSameFileHere(const proto::LocalFile& file);

/// Reads a file in chunks to send. Not thread-safe; movable.
class ChunkReader {
 public:
  static absl::StatusOr<ChunkReader> open(const std::string& path, const std::string& hash);
  ChunkReader(ChunkReader&& other) noexcept;
  ChunkReader& operator=(ChunkReader&& other) noexcept;
  ~ChunkReader();

  /// Fills in the next chunk; false at the end.
  absl::StatusOr<bool> next(proto::BinaryChunk& chunk);

 private:
  ChunkReader(std::string path, std::string hash, int fd);

  std::string path_;
  std::string hash_;
  int fd_;
};

}  // namespace wiesel::runtime
