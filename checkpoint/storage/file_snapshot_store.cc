#include "checkpoint/storage/file_snapshot_store.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/format.h"
#include "checkpoint/storage/file_digest.h"
#include "common/ids.h"
#include "common/status_macros.h"

namespace wiesel::checkpoint {
namespace {

using state::StreamHandle;

absl::Status writeDurably(FileSystem& files, const std::string& path, std::string_view bytes) {
  const auto write = [&]() -> absl::Status {
    WIESEL_ASSIGN_OR_RETURN(auto file, files.openForWrite(path, OpenMode::kTruncate));
    WIESEL_RETURN_IF_ERROR(file->append(bytes));
    WIESEL_RETURN_IF_ERROR(file->sync());
    return file->close();
  };
  absl::Status status = write();
  if (!status.ok()) (void)files.removeFile(path);
  return status;
}

absl::Status syncFile(FileSystem& files, const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(auto file, files.openForWrite(path, OpenMode::kAppend));
  WIESEL_RETURN_IF_ERROR(file->sync());
  return file->close();
}

StreamHandle inlineHandle(std::string name, std::string bytes) {
  StreamHandle handle;
  handle.kind = StreamHandle::Kind::kInline;
  handle.name = std::move(name);
  handle.size = static_cast<int64_t>(bytes.size());
  handle.bytes = std::move(bytes);
  return handle;
}

StreamHandle relativeHandle(std::string name, const FileDigest& digest) {
  StreamHandle handle;
  handle.kind = StreamHandle::Kind::kRelative;
  handle.name = std::move(name);
  handle.size = digest.size;
  handle.checksum = digest.checksum;
  return handle;
}

}  // namespace

std::string checkpointDirectory(const std::string& job_directory, int64_t checkpoint_id) {
  return joinPath(job_directory, absl::StrFormat("chk-%d", checkpoint_id));
}

FileSnapshotStore::FileSnapshotStore(FileSystem& files, RandomSource& random, std::string directory,
                                     int64_t inline_threshold_bytes)
    : files_(files),
      random_(random),
      directory_(stripFileScheme(directory)),
      inline_threshold_bytes_(inline_threshold_bytes) {}

absl::StatusOr<StreamHandle> FileSnapshotStore::writeStream(std::string bytes) {
  const std::string name = newName();
  if (static_cast<int64_t>(bytes.size()) <= inline_threshold_bytes_) {
    return inlineHandle(name, std::move(bytes));
  }
  WIESEL_RETURN_IF_ERROR(writeDurably(files_, joinPath(directory_, name), bytes));
  return relativeHandle(name, digestOf(bytes));
}

absl::StatusOr<StreamHandle> FileSnapshotStore::storeFile(const std::string& local_path) {
  WIESEL_ASSIGN_OR_RETURN(const uint64_t size, files_.fileSize(local_path));
  if (static_cast<int64_t>(size) <= inline_threshold_bytes_) {
    WIESEL_ASSIGN_OR_RETURN(std::string bytes, files_.readAll(local_path));
    return writeStream(std::move(bytes));
  }
  const std::string name = newName();
  const std::string path = joinPath(directory_, name);
  WIESEL_RETURN_IF_ERROR(files_.hardLinkOrCopy(local_path, path));
  WIESEL_RETURN_IF_ERROR(syncFile(files_, path));
  WIESEL_ASSIGN_OR_RETURN(const FileDigest digest, digestFile(files_, path));
  return relativeHandle(name, digest);
}

absl::StatusOr<std::string> FileSnapshotStore::read(const StreamHandle& handle) {
  if (handle.kind == StreamHandle::Kind::kNone) return std::string();
  if (handle.kind == StreamHandle::Kind::kInline) return handle.bytes;
  const std::string path = pathOf(handle);
  auto bytes = files_.readAll(path);
  if (!bytes.ok()) return annotate(bytes.status(), "reading state to restore");
  WIESEL_RETURN_IF_ERROR(compareDigests(path, {handle.size, handle.checksum}, digestOf(*bytes)));
  return bytes;
}

absl::Status FileSnapshotStore::fetchFile(const StreamHandle& handle, const std::string& local_path,
                                          state::FileUse use) {
  const bool is_file =
      handle.kind == StreamHandle::Kind::kRelative || handle.kind == StreamHandle::Kind::kFile;
  if (is_file && use == state::FileUse::kReadOnly) {
    const std::string path = pathOf(handle);
    WIESEL_ASSIGN_OR_RETURN(const FileDigest actual, digestFile(files_, path));
    WIESEL_RETURN_IF_ERROR(compareDigests(path, {handle.size, handle.checksum}, actual));
    return files_.hardLinkOrCopy(path, local_path);
  }
  WIESEL_ASSIGN_OR_RETURN(const std::string bytes, read(handle));
  WIESEL_ASSIGN_OR_RETURN(auto file, files_.openForWrite(local_path, OpenMode::kTruncate));
  WIESEL_RETURN_IF_ERROR(file->append(bytes));
  return file->close();
}

std::string FileSnapshotStore::newName() { return kOwnNamePrefix + randomId(random_).toHex(); }

std::string FileSnapshotStore::pathOf(const StreamHandle& handle) const {
  if (handle.kind == StreamHandle::Kind::kFile) return stripFileScheme(handle.name);
  return joinPath(directory_, handle.name);
}

}  // namespace wiesel::checkpoint
