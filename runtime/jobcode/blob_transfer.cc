#include "runtime/jobcode/blob_transfer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace wiesel::runtime {

absl::StatusOr<proto::LocalFile> describeLocalFile(const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(const FileIdentity identity, FileIdentity::of(path));
  proto::LocalFile file;
  file.set_path(path);
  file.set_device(identity.device);
  file.set_inode(identity.inode);
  file.set_size_bytes(identity.size_bytes);
  file.set_modified_ns(identity.modified_ns);
  return file;
}

bool isSameFileHere(const proto::LocalFile& file) {
  const absl::StatusOr<FileIdentity> here = FileIdentity::of(file.path());
  return here.ok() && *here == FileIdentity{.device = file.device(),
                                            .inode = file.inode(),
                                            .size_bytes = file.size_bytes(),
                                            .modified_ns = file.modified_ns()};
}

absl::StatusOr<ChunkReader> ChunkReader::open(const std::string& path, const std::string& hash) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return absl::UnavailableError(
        absl::StrFormat("cannot read '%s': %s", path, std::strerror(errno)));
  }
  return ChunkReader(path, hash, fd);
}

ChunkReader::ChunkReader(std::string path, std::string hash, int fd)
    : path_(std::move(path)), hash_(std::move(hash)), fd_(fd) {}

ChunkReader::ChunkReader(ChunkReader&& other) noexcept
    : path_(std::move(other.path_)),
      hash_(std::move(other.hash_)),
      fd_(std::exchange(other.fd_, -1)) {}

ChunkReader& ChunkReader::operator=(ChunkReader&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(hash_, other.hash_);
  std::swap(fd_, other.fd_);
  return *this;
}

ChunkReader::~ChunkReader() {
  if (fd_ >= 0) ::close(fd_);
}

absl::StatusOr<bool> ChunkReader::next(proto::BinaryChunk& chunk) {
  std::string& data = *chunk.mutable_data();
  data.resize(kBlobChunkBytes);
  ssize_t count = 0;
  do {
    count = ::read(fd_, data.data(), data.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    return absl::UnavailableError(
        absl::StrFormat("cannot read '%s': %s", path_, std::strerror(errno)));
  }
  data.resize(static_cast<size_t>(count));
  chunk.set_content_hash(hash_);
  return count > 0;
}

}  // namespace wiesel::runtime
