#include "runtime/process/process_directories.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/config/cluster_options.h"
#include "common/status_macros.h"

namespace wiesel::runtime {

namespace {

namespace fs = std::filesystem;

constexpr char kLockName[] = ".lock";
constexpr char kNamePrefix[] = "wiesel-";
constexpr int kCreateAttempts = 10;

absl::Status createError(const std::string& path, const std::string& reason) {
  return absl::PermissionDeniedError(
      absl::StrFormat("cannot create the directory '%s': %s", path, reason));
}

absl::Status createDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? createError(path, error.message()) : absl::OkStatus();
}

/// The lock goes last: what a process that dies meanwhile leaves is still known as abandoned.
void removeLockedDirectory(const fs::path& path) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.path().filename() != kLockName) fs::remove_all(entry.path(), ignored);
  }
  fs::remove_all(path, ignored);
}

/// The locked lock file of a directory, or -1 when another process has it, has removed it or there
/// is none; errno says why.
int lockDirectory(const std::string& path, int flags) {
  const int fd = ::open((path + "/" + kLockName).c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (fd < 0) return -1;
  struct stat status {};
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &status) == 0;
  if (locked && status.st_nlink > 0) return fd;
  const int error = locked ? ENOENT : errno;
  ::close(fd);
  errno = error;
  return -1;
}

std::string namePrefix(const std::string& role) {
  return absl::StrFormat("%s%s-", kNamePrefix, role);
}

}  // namespace

absl::StatusOr<WorkingDirectory> WorkingDirectory::create(const std::string& parent,
                                                          const std::string& role,
                                                          RandomSource& random) {
  WIESEL_RETURN_IF_ERROR(createDirectories(parent));
  int fd = -1;
  std::string path;
  // Another process may take the new directory for an abandoned one before it is locked.
  for (int attempt = 0; fd < 0 && attempt < kCreateAttempts; ++attempt) {
    path = absl::StrFormat("%s/%s%d-%08x", parent, namePrefix(role), ::getpid(),
                           static_cast<uint32_t>(random.next()));
    std::error_code error;
    fs::create_directory(path, error);
    if (error) return createError(path, error.message());
    fd = lockDirectory(path, O_CREAT);
  }
  if (fd < 0) return createError(path, std::strerror(errno));
  return WorkingDirectory(path, role, fd);
}

WorkingDirectory::WorkingDirectory(std::string path, std::string role, int lock_fd)
    : path_(std::move(path)), role_(std::move(role)), lock_fd_(lock_fd) {}

WorkingDirectory::WorkingDirectory(WorkingDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      role_(std::move(other.role_)),
      lock_fd_(std::exchange(other.lock_fd_, -1)) {}

WorkingDirectory::~WorkingDirectory() {
  if (lock_fd_ < 0) return;
  removeLockedDirectory(path_);
  ::close(lock_fd_);
}

void WorkingDirectory::removeAbandonedSiblings() const {
  std::error_code ignored;
  const fs::path own = path_;
  for (const auto& entry : fs::directory_iterator(own.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (entry.path() == own || !name.starts_with(kNamePrefix)) continue;
    // One that is empty was left before it was locked, or after.
    if (name.starts_with(namePrefix(role_)) && ::rmdir(entry.path().c_str()) == 0) continue;
    const int fd = lockDirectory(entry.path().string(), 0);
    if (fd < 0) continue;
    removeLockedDirectory(entry.path());
    ::close(fd);
  }
}

std::string temporaryDirectoryOf(const Configuration& configuration) {
  const std::string directories = configuration.get(kTemporaryDirectories);
  return directories.substr(0, directories.find_first_of(",:"));
}

absl::StatusOr<std::string> createLogDirectory(const Configuration& configuration,
                                               const std::string& name) {
  const std::string parent =
      configuration.get(kLogDirectory)
          .value_or(
              absl::StrFormat("%s/wiesel-log-%d", temporaryDirectoryOf(configuration), ::getuid()));
  std::error_code error;
  const std::string path = fs::absolute(parent, error).string() + "/" + name;
  const absl::Status created = createDirectories(path);
  if (created.ok()) return path;
  return absl::Status(created.code(), absl::StrFormat("%s (%s)", created.message(),
                                                      std::string(kLogDirectory.key)));
}

}  // namespace wiesel::runtime
