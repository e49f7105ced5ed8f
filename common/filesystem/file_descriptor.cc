#include "common/filesystem/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "common/filesystem/file_error.h"
#include "common/filesystem/file_system.h"

namespace wiesel {

absl::StatusOr<FileDescriptor> FileDescriptor::open(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return fileError("open", path, errno, freeBytes(path));
  return FileDescriptor(descriptor, path);
}

FileDescriptor::FileDescriptor(int descriptor, std::string path)
    : descriptor_(descriptor), path_(std::move(path)) {}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

FileDescriptor::~FileDescriptor() { close().IgnoreError(); }

absl::StatusOr<uint64_t> FileDescriptor::size() const {
  struct stat info;
  if (::fstat(descriptor_, &info) != 0) return errorNow("read the size of");
  if (S_ISDIR(info.st_mode)) return fileError("read", path_, EISDIR);
  return static_cast<uint64_t>(info.st_size);
}

absl::StatusOr<std::string> FileDescriptor::readAt(uint64_t offset, size_t size) const {
  std::string bytes(size, '\0');
  size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::pread(descriptor_, bytes.data() + filled, size - filled,
                                  static_cast<off_t>(offset + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errorNow("read");
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

absl::Status FileDescriptor::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errorNow("write");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status FileDescriptor::truncate(uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return errorNow("truncate");
  return absl::OkStatus();
}

absl::Status FileDescriptor::sync() {
  if (::fsync(descriptor_) != 0) return errorNow("sync");
  return absl::OkStatus();
}

absl::Status FileDescriptor::close() {
  if (descriptor_ < 0) return absl::OkStatus();
  // Linux releases the descriptor even when close() reports an error.
  if (::close(std::exchange(descriptor_, -1)) != 0) return errorNow("close");
  return absl::OkStatus();
}

absl::Status FileDescriptor::errorNow(std::string_view action) const {
  const int error_number = errno;
  return fileError(action, path_, error_number, error_number == ENOSPC ? freeBytes(path_) : 0);
}

uint64_t freeBytes(const std::string& path) {
  const int saved_errno = errno;
  struct statvfs info;
  std::string existing = path;
  int result = ::statvfs(existing.c_str(), &info);
  while (result != 0 && existing != "/" && existing != ".") {
    existing = parentPath(existing);
    result = ::statvfs(existing.c_str(), &info);
  }
  errno = saved_errno;
  return result == 0 ? static_cast<uint64_t>(info.f_bavail) * info.f_frsize : 0;
}

}  // namespace wiesel
