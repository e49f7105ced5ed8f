#include "common/filesystem/local_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/filesystem/file_descriptor.h"
#include "common/filesystem/file_error.h"
#include "common/status_macros.h"

namespace wiesel {
namespace {

/// Collects small appends before they go to the operating system.
class LocalOutputFile final : public OutputFile {
 public:
  LocalOutputFile(FileDescriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  ~LocalOutputFile() override { close().IgnoreError(); }

  absl::Status append(std::string_view bytes) override {
    if (closed_) return fileError("write", path_, EBADF);
    if (buffer_.size() + bytes.size() >= kBufferBytes) {
      WIESEL_RETURN_IF_ERROR(flush());
      if (bytes.size() >= kBufferBytes) return file_.write(bytes);
    }
    buffer_ += bytes;
    return absl::OkStatus();
  }

  absl::Status flush() override {
    if (closed_) return fileError("write", path_, EBADF);
    // Cleared even when the write fails: part of it may be in the file.
    const std::string buffered = std::exchange(buffer_, std::string());
    return file_.write(buffered);
  }

  absl::Status sync() override {
    WIESEL_RETURN_IF_ERROR(flush());
    return file_.sync();
  }

  absl::Status close() override {
    if (closed_) return absl::OkStatus();
    const absl::Status flushed = flush();
    closed_ = true;
    const absl::Status closed = file_.close();
    return flushed.ok() ? closed : flushed;
  }

 private:
  static constexpr size_t kBufferBytes = size_t{64} * 1024;

  FileDescriptor file_;
  const std::string path_;
  std::string buffer_;
  bool closed_ = false;
};

absl::Status syncDirectory(const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(FileDescriptor directory,
                          FileDescriptor::open(path, O_RDONLY | O_DIRECTORY));
  return directory.sync();
}

absl::Status writeWholeFile(const std::string& path, int flags, std::string_view bytes) {
  WIESEL_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::open(path, O_WRONLY | flags));
  WIESEL_RETURN_IF_ERROR(file.write(bytes));
  WIESEL_RETURN_IF_ERROR(file.sync());
  return file.close();
}

/// A hidden name beside `path` that no other writer uses.
std::string temporaryNameFor(const std::string& path) {
  static std::atomic<uint64_t> counter = 0;
  const size_t slash = path.rfind('/');
  const size_t name_begin = slash == std::string::npos ? 0 : slash + 1;
  return absl::StrFormat("%s.%s.tmp-%d-%d", path.substr(0, name_begin), path.substr(name_begin),
                         ::getpid(), ++counter);
}

bool cannotLink(int error_number) {
  return error_number == EXDEV || error_number == EPERM || error_number == EMLINK ||
         error_number == EOPNOTSUPP || error_number == ENOSYS;
}

}  // namespace

absl::StatusOr<std::string> LocalFileSystem::readAll(const std::string& path) const {
  WIESEL_ASSIGN_OR_RETURN(const FileDescriptor file, FileDescriptor::open(path, O_RDONLY));
  WIESEL_ASSIGN_OR_RETURN(const uint64_t size, file.size());
  // Files below /proc say that they are empty, so read on until there is nothing more.
  constexpr size_t kLeastChunk = 4096;
  std::string bytes;
  while (true) {
    const size_t wanted =
        std::max<size_t>(size > bytes.size() ? size - bytes.size() : 0, kLeastChunk);
    WIESEL_ASSIGN_OR_RETURN(std::string chunk, file.readAt(bytes.size(), wanted));
    const bool at_end = chunk.size() < wanted;
    if (bytes.empty()) {
      bytes = std::move(chunk);
    } else {
      bytes += chunk;
    }
    if (at_end) return bytes;
  }
}

absl::StatusOr<std::string> LocalFileSystem::readRange(const std::string& path, uint64_t offset,
                                                       uint64_t size) const {
  WIESEL_ASSIGN_OR_RETURN(const FileDescriptor file, FileDescriptor::open(path, O_RDONLY));
  WIESEL_ASSIGN_OR_RETURN(const uint64_t file_size, file.size());
  if (offset > file_size || size > file_size - offset) {
    return absl::OutOfRangeError(absl::StrFormat(
        "cannot read '%s': the range ends after the file (offset=%d, size=%d, file_size=%d)", path,
        offset, size, file_size));
  }
  return file.readAt(offset, size);
}

absl::StatusOr<std::unique_ptr<OutputFile>> LocalFileSystem::openForWrite(const std::string& path,
                                                                          OpenMode mode) {
  const int flags = O_WRONLY | O_CREAT | (mode == OpenMode::kAppend ? O_APPEND : O_TRUNC);
  WIESEL_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::open(path, flags));
  return std::make_unique<LocalOutputFile>(std::move(file), path);
}

absl::Status LocalFileSystem::writeAtomically(const std::string& path, std::string_view bytes) {
  const std::string temporary = temporaryNameFor(path);
  absl::Status status = writeWholeFile(temporary, O_CREAT | O_EXCL, bytes);
  if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    status = fileError("rename to", path, errno, freeBytes(path));
  }
  if (!status.ok()) {
    ::unlink(temporary.c_str());
    return annotate(status, absl::StrFormat("cannot write '%s'", path));
  }
  return syncDirectory(parentPath(path));
}

absl::Status LocalFileSystem::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return fileError("rename", absl::StrFormat("%s' to '%s", from, to), errno, freeBytes(to));
  }
  WIESEL_RETURN_IF_ERROR(syncDirectory(parentPath(to)));
  if (parentPath(from) == parentPath(to)) return absl::OkStatus();
  return syncDirectory(parentPath(from));
}

absl::Status LocalFileSystem::removeFile(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return fileError("remove", path, errno);
  return absl::OkStatus();
}

absl::Status LocalFileSystem::removeAll(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return fileError("remove", path, error.value());
  return absl::OkStatus();
}

absl::Status LocalFileSystem::createDirectories(const std::string& path) {
  if (isDirectory(path)) return absl::OkStatus();
  const std::string parent = parentPath(path);
  if (parent != path) WIESEL_RETURN_IF_ERROR(createDirectories(parent));
  if (::mkdir(path.c_str(), 0777) == 0) return syncDirectory(parent);
  // Somebody else may have made it in the meantime.
  if (errno == EEXIST && isDirectory(path)) return absl::OkStatus();
  const int error_number = errno == EEXIST ? ENOTDIR : errno;
  return fileError("create the directory", path, error_number, freeBytes(path));
}

absl::StatusOr<std::vector<std::string>> LocalFileSystem::list(const std::string& directory) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), &::closedir);
  if (stream == nullptr) return fileError("list", directory, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
    errno = 0;
  }
  if (errno != 0) return fileError("list", directory, errno);
  std::sort(names.begin(), names.end());
  return names;
}

bool LocalFileSystem::exists(const std::string& path) const {
  return ::access(path.c_str(), F_OK) == 0;
}

bool LocalFileSystem::isDirectory(const std::string& path) const {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::StatusOr<uint64_t> LocalFileSystem::fileSize(const std::string& path) const {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return fileError("read the size of", path, errno);
  if (S_ISDIR(info.st_mode)) return fileError("read the size of", path, EISDIR);
  return static_cast<uint64_t>(info.st_size);
}

absl::Status LocalFileSystem::truncate(const std::string& path, uint64_t size) {
  WIESEL_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::open(path, O_WRONLY));
  WIESEL_ASSIGN_OR_RETURN(const uint64_t file_size, file.size());
  if (size > file_size) {
    return absl::OutOfRangeError(absl::StrFormat(
        "cannot truncate '%s': it is shorter (size=%d, file_size=%d)", path, size, file_size));
  }
  WIESEL_RETURN_IF_ERROR(file.truncate(size));
  WIESEL_RETURN_IF_ERROR(file.sync());
  return file.close();
}

absl::Status LocalFileSystem::hardLinkOrCopy(const std::string& from, const std::string& to) {
  if (isDirectory(from)) return fileError("link", from, EISDIR);
  if (::link(from.c_str(), to.c_str()) == 0) return absl::OkStatus();
  const int error_number = errno;
  if (!cannotLink(error_number)) {
    const std::string both = absl::StrFormat("%s' to '%s", from, to);
    return fileError("link", both, error_number, freeBytes(to));
  }
  WIESEL_ASSIGN_OR_RETURN(const std::string bytes, readAll(from));
  return writeWholeFile(to, O_CREAT | O_EXCL, bytes);
}

}  // namespace wiesel
