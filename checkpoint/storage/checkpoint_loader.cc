#include "checkpoint/storage/checkpoint_loader.h"

#include <map>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "checkpoint/metadata/format.h"
#include "checkpoint/metadata/metadata_reader.h"
#include "checkpoint/metadata/sidecar.h"
#include "checkpoint/storage/file_digest.h"
#include "common/status_macros.h"

namespace wiesel::checkpoint {
namespace {

using state::StreamHandle;

absl::Status wrongPath(const std::string& path, std::string_view why) {
  return absl::NotFoundError(absl::StrFormat("cannot restore from '%s': %s", path, why));
}

/// The newest completed checkpoint among the children of a directory, or "".
std::string newestChild(const FileSystem& files, const std::string& directory) {
  const auto names = files.list(directory);
  if (!names.ok()) return "";
  std::string newest;
  for (const std::string& name : *names) {
    const std::string child = joinPath(directory, name);
    if (!files.exists(joinPath(child, kMetadataFileName))) continue;
    const bool newer = name.size() != newest.size() ? name.size() > newest.size() : name > newest;
    if (newest.empty() || newer) newest = name;
  }
  return newest;
}

absl::Status noMetadata(const FileSystem& files, const std::string& path,
                        const std::string& directory) {
  const std::string child = newestChild(files, directory);
  if (!child.empty()) {
    return wrongPath(path, absl::StrFormat("it is the parent of checkpoints, not one of them. Give "
                                           "one, such as '%s'",
                                           joinPath(directory, child)));
  }
  return wrongPath(path,
                   "it has no _metadata file: it is no completed checkpoint or savepoint. Give the "
                   "directory of one");
}

/// The directory of the checkpoint that `path` names.
absl::StatusOr<std::string> resolve(const FileSystem& files, const std::string& path) {
  std::string plain = stripFileScheme(path);
  if (plain.find("://") != std::string::npos) {
    return absl::UnimplementedError(
        absl::StrFormat("cannot restore from '%s': this version reads local files only", path));
  }
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  if (plain.empty() || !files.exists(plain)) return wrongPath(path, "there is no such directory");
  if (files.isDirectory(plain)) {
    if (!files.exists(joinPath(plain, kMetadataFileName))) return noMetadata(files, path, plain);
    return plain;
  }
  const std::string directory = parentPath(plain);
  if (plain != kMetadataFileName && !absl::EndsWith(plain, "/_metadata")) {
    return wrongPath(path,
                     "it is a file other than _metadata. Give the directory of one completed "
                     "checkpoint or savepoint");
  }
  return directory;
}

std::string pathIn(const std::string& directory, const StreamHandle& handle) {
  if (handle.kind == StreamHandle::Kind::kRelative) return joinPath(directory, handle.name);
  return stripFileScheme(handle.name);
}

bool isOwn(const CheckpointMetadata& metadata) {
  bool own = false;
  forEachStream(metadata, [&](const StreamHandle& handle) {
    if (absl::StartsWith(handle.name, kOwnNamePrefix)) own = true;
  });
  return own;
}

absl::Status verifyFile(const FileSystem& files, const std::string& path,
                        const FileDigest& expected) {
  auto actual = digestFile(files, path);
  if (absl::IsNotFound(actual.status())) {
    return absl::DataLossError(
        absl::StrFormat("'%s' is missing: expected size_bytes=%d, checksum %016x", path,
                        expected.size, expected.checksum));
  }
  WIESEL_RETURN_IF_ERROR(actual.status());
  return compareDigests(path, expected, *actual);
}

/// Compares every file of the checkpoint with the sidecar and gives its checksum to the handles.
absl::Status verifyFiles(const FileSystem& files, const std::string& directory,
                         const Sidecar& sidecar, CheckpointMetadata& metadata) {
  std::map<std::string, FileDigest> expected;
  for (const CheckedFile& file : sidecar.files) {
    expected[file.name] = {file.size, file.checksum};
    if (file.name == kMetadataFileName) continue;
    const bool is_path = absl::StartsWith(file.name, "/") || absl::StartsWith(file.name, "file:");
    const std::string path = is_path ? stripFileScheme(file.name) : joinPath(directory, file.name);
    WIESEL_RETURN_IF_ERROR(verifyFile(files, path, {file.size, file.checksum}));
  }
  absl::Status status;
  forEachStream(metadata, [&](StreamHandle& handle) {
    if (handle.kind == StreamHandle::Kind::kInline) return;
    const auto found = expected.find(handle.name);
    if (found == expected.end()) {
      status.Update(absl::DataLossError(absl::StrFormat(
          "'%s' is not listed in %s", pathIn(directory, handle), kSidecarFileName)));
      return;
    }
    handle.checksum = found->second.checksum;
    status.Update(
        compareDigests(pathIn(directory, handle), found->second, {handle.size, handle.checksum}));
  });
  return status;
}

/// What can be checked without a sidecar: that the files are there and as long as they should be.
absl::Status verifySizes(const FileSystem& files, const std::string& directory,
                         const CheckpointMetadata& metadata) {
  absl::Status status;
  forEachStream(metadata, [&](const StreamHandle& handle) {
    if (handle.kind == StreamHandle::Kind::kInline) return;
    const std::string path = pathIn(directory, handle);
    const auto size = files.fileSize(path);
    if (!size.ok()) return status.Update(annotate(size.status(), "a state file is missing"));
    status.Update(compareDigests(path, {handle.size, 0}, {static_cast<int64_t>(*size), 0}));
  });
  return status;
}

absl::StatusOr<CheckpointMetadata> decode(const std::string& directory, std::string_view bytes) {
  auto metadata = decodeMetadata(bytes);
  if (metadata.ok()) return metadata;
  return annotate(metadata.status(),
                  absl::StrFormat("'%s'", joinPath(directory, kMetadataFileName)));
}

/// A checkpoint with a _wiesel.json.
absl::Status loadVerified(const FileSystem& files, std::string_view metadata_bytes,
                          StoredCheckpoint& checkpoint) {
  const std::string& directory = checkpoint.directory;
  const std::string sidecar_path = joinPath(directory, kSidecarFileName);
  WIESEL_ASSIGN_OR_RETURN(const std::string sidecar_bytes, files.readAll(sidecar_path));
  auto sidecar = decodeSidecar(sidecar_bytes);
  if (!sidecar.ok()) return annotate(sidecar.status(), absl::StrFormat("'%s'", sidecar_path));
  if (sidecar->files.empty() || sidecar->files.front().name != kMetadataFileName) {
    return absl::DataLossError(absl::StrFormat("'%s' does not list _metadata", sidecar_path));
  }
  const CheckedFile& expected = sidecar->files.front();
  WIESEL_RETURN_IF_ERROR(compareDigests(joinPath(directory, kMetadataFileName),
                                        {expected.size, expected.checksum},
                                        digestOf(metadata_bytes)));
  WIESEL_ASSIGN_OR_RETURN(checkpoint.metadata, decode(directory, metadata_bytes));
  checkpoint.names = sidecar->operators;
  return verifyFiles(files, directory, *sidecar, checkpoint.metadata);
}

/// A checkpoint of Flink.
absl::Status loadUnchecked(const FileSystem& files, std::string_view metadata_bytes,
                           StoredCheckpoint& checkpoint) {
  const std::string& directory = checkpoint.directory;
  WIESEL_ASSIGN_OR_RETURN(checkpoint.metadata, decode(directory, metadata_bytes));
  if (isOwn(checkpoint.metadata)) {
    return absl::DataLossError(
        absl::StrFormat("'%s' is missing: the checkpoint was written by Wiesel and has lost it",
                        joinPath(directory, kSidecarFileName)));
  }
  return verifySizes(files, directory, checkpoint.metadata);
}

absl::StatusOr<StoredCheckpoint> load(const FileSystem& files, const std::string& directory) {
  StoredCheckpoint checkpoint;
  checkpoint.directory = directory;
  checkpoint.path = toFileUri(directory);
  WIESEL_ASSIGN_OR_RETURN(const std::string bytes,
                          files.readAll(joinPath(directory, kMetadataFileName)));
  const bool has_sidecar = files.exists(joinPath(directory, kSidecarFileName));
  WIESEL_RETURN_IF_ERROR(has_sidecar ? loadVerified(files, bytes, checkpoint)
                                     : loadUnchecked(files, bytes, checkpoint));
  checkpoint.size_bytes = static_cast<int64_t>(bytes.size()) + sizeOfFiles(checkpoint.metadata);
  return checkpoint;
}

}  // namespace

absl::StatusOr<StoredCheckpoint> loadCheckpoint(const FileSystem& files, const std::string& path) {
  WIESEL_ASSIGN_OR_RETURN(const std::string directory, resolve(files, path));
  auto checkpoint = load(files, directory);
  if (!checkpoint.ok()) {
    return annotate(checkpoint.status(), absl::StrFormat("cannot restore from '%s'", path));
  }
  return checkpoint;
}

}  // namespace wiesel::checkpoint
