#include "runtime/jobcode/file_hash.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/xxh.h"

namespace wiesel::runtime {

namespace {

constexpr size_t kReadBytes = 256 * 1024;  // Stays in the second-level cache.

absl::Status readError(const std::string& path, int error) {
  const std::string text = absl::StrFormat("cannot read '%s': %s", path, std::strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(text);
  if (error == EACCES) return absl::PermissionDeniedError(text);
  return absl::UnavailableError(text);
}

}  // namespace

absl::StatusOr<std::string> contentHashOfFile(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return readError(path, errno);
  StreamingHash hash;
  std::vector<char> buffer(kReadBytes);
  ssize_t count = 0;
  do {
    count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0) hash.update(std::string_view(buffer.data(), static_cast<size_t>(count)));
  } while (count > 0 || (count < 0 && errno == EINTR));
  const int error = errno;
  ::close(fd);
  if (count < 0) return readError(path, error);
  return hash.contentHash();
}

}  // namespace wiesel::runtime
