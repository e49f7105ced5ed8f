#include "runtime/jobcode/blob_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "runtime/jobcode/file_hash.h"

namespace wiesel::runtime {

namespace {

constexpr std::string_view kTemporaryPrefix = ".incoming-";
constexpr size_t kHashDigits = 32;
constexpr mode_t kExecutableMode = 0755;

absl::Status errnoStatus(std::string_view doing, std::string_view path, int error) {
  const std::string text = absl::StrFormat("%s '%s': %s", doing, path, std::strerror(error));
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(text);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(text);
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(text);
    default:
      return absl::UnavailableError(text);
  }
}

FileIdentity identityOf(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size_bytes = status.st_size,
          .modified_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

bool isHash(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f');
         });
}

absl::Status copyFile(const std::string& from, const std::string& to) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) return errnoStatus("cannot read", from, errno);
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kExecutableMode);
  if (out < 0) {
    const int error = errno;
    ::close(in);
    return errnoStatus("cannot create", to, error);
  }
  constexpr size_t kMostAtOnce = 1 << 30;
  ssize_t copied = 0;
  do {
    copied = ::sendfile(out, in, nullptr, kMostAtOnce);
  } while (copied > 0 || (copied < 0 && errno == EINTR));
  const int error = copied < 0 ? errno : 0;
  ::close(in);
  ::close(out);
  if (error == 0) return absl::OkStatus();
  ::unlink(to.c_str());  // On a full disk the half of a file would keep it full.
  return errnoStatus("cannot copy to", to, error);
}

void removeUnfinishedUploads(const std::string& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    if (entry.path().filename().string().starts_with(kTemporaryPrefix)) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace

absl::StatusOr<FileIdentity> FileIdentity::of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errnoStatus("cannot open", path, errno);
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(absl::StrFormat("'%s' is no file that can be run", path));
  }
  return identityOf(status);
}

absl::StatusOr<std::unique_ptr<BlobStore>> BlobStore::open(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return errnoStatus("cannot create the directory", directory, error.value());
  removeUnfinishedUploads(directory);
  return std::unique_ptr<BlobStore>(new BlobStore(directory));
}

absl::StatusOr<std::string> BlobStore::addFile(const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(const FileIdentity source, FileIdentity::of(path));
  if (::access(path.c_str(), X_OK) != 0) {
    return absl::FailedPreconditionError(
        absl::StrFormat("'%s' cannot be executed: %s", path, std::strerror(errno)));
  }
  {
    MutexLock lock(mutex_);
    const auto known = hash_of_file_.find(source);
    if (known != hash_of_file_.end() && contains(known->second)) return known->second;
  }

  const std::string temporary = newTemporaryPath();
  if (::link(path.c_str(), temporary.c_str()) != 0) {
    WIESEL_RETURN_IF_ERROR(copyFile(path, temporary));
  }
  absl::StatusOr<std::string> hash = contentHashOfFile(temporary);
  if (!hash.ok()) {
    ::unlink(temporary.c_str());
    return hash.status();
  }
  WIESEL_RETURN_IF_ERROR(adopt(temporary, *hash));
  MutexLock lock(mutex_);
  hash_of_file_[source] = *hash;
  return *hash;
}

bool BlobStore::contains(const std::string& hash) const {
  return isHash(hash) && ::access(blobPath(hash).c_str(), X_OK) == 0;
}

absl::StatusOr<std::string> BlobStore::pathOf(const std::string& hash) {
  const std::string path = blobPath(hash);
  if (!contains(hash)) {
    return absl::NotFoundError(
        absl::StrFormat("no job binary with hash '%s' in '%s'", hash, directory_));
  }
  WIESEL_ASSIGN_OR_RETURN(const FileIdentity now, FileIdentity::of(path));
  {
    MutexLock lock(mutex_);
    const auto known = stored_.find(hash);
    if (known != stored_.end() && known->second == now) return path;
  }
  WIESEL_ASSIGN_OR_RETURN(const std::string actual, contentHashOfFile(path));
  if (actual != hash) {
    ::unlink(path.c_str());
    return absl::DataLossError(absl::StrFormat(
        "the job's binary was overwritten in place after the job was submitted (hash was %s, is "
        "%s); submit the job again",
        hash, actual));
  }
  MutexLock lock(mutex_);
  stored_[hash] = now;
  return path;
}

absl::StatusOr<std::unique_ptr<BlobUpload>> BlobStore::beginUpload(const std::string& hash) {
  if (!isHash(hash)) {
    return absl::InvalidArgumentError(absl::StrFormat("'%s' is no content hash", hash));
  }
  const std::string temporary = newTemporaryPath();
  const int fd =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kExecutableMode);
  if (fd < 0) return errnoStatus("cannot create", temporary, errno);
  return std::unique_ptr<BlobUpload>(new BlobUpload(*this, hash, temporary, fd));
}

std::string BlobStore::blobPath(const std::string& hash) const { return directory_ + "/" + hash; }

std::string BlobStore::newTemporaryPath() {
  MutexLock lock(mutex_);
  return absl::StrFormat("%s/%s%d-%d", directory_, kTemporaryPrefix, ::getpid(), next_temporary_++);
}

absl::Status BlobStore::adopt(const std::string& temporary_path, const std::string& hash) {
  const std::string path = blobPath(hash);
  if (::rename(temporary_path.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_path.c_str());
    return errnoStatus("cannot create", path, error);
  }
  ::unlink(
      temporary_path.c_str());  // Renaming a link to a file onto another of its links does nothing.
  WIESEL_ASSIGN_OR_RETURN(const FileIdentity identity, FileIdentity::of(path));
  MutexLock lock(mutex_);
  stored_[hash] = identity;
  return absl::OkStatus();
}

BlobUpload::BlobUpload(BlobStore& store, std::string hash, std::string temporary_path, int fd)
    : store_(store), hash_(std::move(hash)), temporary_path_(std::move(temporary_path)), fd_(fd) {}

BlobUpload::~BlobUpload() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(temporary_path_.c_str());
}

absl::Status BlobUpload::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errnoStatus("cannot write", temporary_path_, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status BlobUpload::finish() {
  WIESEL_ASSIGN_OR_RETURN(const std::string actual, contentHashOfFile(temporary_path_));
  if (actual != hash_) {
    return absl::DataLossError(absl::StrFormat(
        "the uploaded job binary is damaged: its hash is %s, not %s", actual, hash_));
  }
  ::close(std::exchange(fd_, -1));
  return store_.adopt(temporary_path_, hash_);
}

}  // namespace wiesel::runtime
