#include "runtime/process/process_directories.h"

#include <fcntl.h>
#include <sys/file.h>
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

absl::Status createError(const std::string& path, const std::string& reason) {
  return absl::PermissionDeniedError(
      absl::StrFormat("cannot create the directory '%s': %s", path, reason));
}

absl::Status createDirectories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? createError(path, error.message()) : absl::OkStatus();
}

/// The locked lock file of a directory, or -1 when another process has it or there is none.
int lockDirectory(const std::string& path, int flags) {
  const int fd = ::open((path + "/" + kLockName).c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

}  // namespace

absl::StatusOr<WorkingDirectory> WorkingDirectory::create(const std::string& parent,
                                                          const std::string& role,
                                                          RandomSource& random) {
  WIESEL_RETURN_IF_ERROR(createDirectories(parent));
  const std::string path = absl::StrFormat("%s/%s%s-%d-%08x", parent, kNamePrefix, role, ::getpid(),
                                           static_cast<uint32_t>(random.next()));
  std::error_code error;
  fs::create_directory(path, error);
  if (error) return createError(path, error.message());
  const int fd = lockDirectory(path, O_CREAT);
  if (fd < 0) return createError(path, std::strerror(errno));
  return WorkingDirectory(path, fd);
}

WorkingDirectory::WorkingDirectory(std::string path, int lock_fd)
    : path_(std::move(path)), lock_fd_(lock_fd) {}

WorkingDirectory::WorkingDirectory(WorkingDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

WorkingDirectory::~WorkingDirectory() {
  if (lock_fd_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  ::close(lock_fd_);
}

void WorkingDirectory::removeAbandonedSiblings() const {
  std::error_code ignored;
  const fs::path own = path_;
  for (const auto& entry : fs::directory_iterator(own.parent_path(), ignored)) {
    if (entry.path() == own || !entry.path().filename().string().starts_with(kNamePrefix)) continue;
    const int fd = lockDirectory(entry.path().string(), 0);
    if (fd < 0) continue;
    fs::remove_all(entry.path(), ignored);
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
  WIESEL_RETURN_IF_ERROR(createDirectories(path));
  return path;
}

}  // namespace wiesel::runtime
