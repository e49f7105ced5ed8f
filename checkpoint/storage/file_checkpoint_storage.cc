#include "checkpoint/storage/file_checkpoint_storage.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/format.h"
#include "checkpoint/metadata/metadata_writer.h"
#include "checkpoint/storage/checkpoint_loader.h"
#include "checkpoint/storage/file_digest.h"
#include "checkpoint/storage/file_snapshot_store.h"
#include "common/status_macros.h"
#include "common/version.h"

namespace wiesel::checkpoint {
namespace {

using state::StreamHandle;

/// Finds out now, not at the first checkpoint, that a directory cannot be written.
absl::Status probe(FileSystem& files, const std::string& directory) {
  const std::string path = joinPath(directory, ".wiesel-probe");
  WIESEL_ASSIGN_OR_RETURN(auto file, files.openForWrite(path, OpenMode::kTruncate));
  WIESEL_RETURN_IF_ERROR(file->append("probe"));
  WIESEL_RETURN_IF_ERROR(file->close());
  return files.removeFile(path);
}

std::string pathOf(const std::string& directory, const StreamHandle& handle) {
  if (handle.kind == StreamHandle::Kind::kRelative) return joinPath(directory, handle.name);
  return stripFileScheme(handle.name);
}

/// The beginning of a stream, where its types stand; "" when it cannot be read: this is for people.
std::string beginningOf(const FileSystem& files, const std::string& directory,
                        const StreamHandle& handle) {
  constexpr int64_t kMaxHeaderBytes = 64 << 10;
  if (handle.kind == StreamHandle::Kind::kInline) return handle.bytes;
  if (handle.isNone()) return "";
  const auto size = static_cast<uint64_t>(std::min(handle.size, kMaxHeaderBytes));
  return files.readRange(pathOf(directory, handle), 0, size).value_or("");
}

/// The types of an operator's state, from its first subtask that has some.
StateTypes typesOf(const FileSystem& files, const std::string& directory,
                   const OperatorSnapshot& one) {
  StateTypes types;
  for (const auto& [index, subtask] : one.subtasks) {
    if (subtask.keyed_state) {
      const auto* groups = std::get_if<state::KeyGroupsHandle>(&*subtask.keyed_state);
      const StreamHandle& stream =
          groups != nullptr ? groups->stream
                            : std::get<state::IncrementalHandle>(*subtask.keyed_state).metadata;
      addKeyedStateTypes(beginningOf(files, directory, stream), types);
    }
    if (subtask.operator_state) {
      addOperatorStateTypes(beginningOf(files, directory, subtask.operator_state->stream), types);
    }
    if (!types.isEmpty()) break;
  }
  return types;
}

}  // namespace

FileCheckpointStorage::FileCheckpointStorage(FileSystem& files, const std::string& directory,
                                             const JobId& job)
    : files_(files), job_(job), job_directory_(joinPath(stripFileScheme(directory), job.toHex())) {}

absl::Status FileCheckpointStorage::initialize() {
  const auto make = [&]() -> absl::Status {
    if (job_directory_.find("://") != std::string::npos) {
      return absl::UnimplementedError("this version writes to local directories only");
    }
    WIESEL_RETURN_IF_ERROR(files_.createDirectories(joinPath(job_directory_, "shared")));
    WIESEL_RETURN_IF_ERROR(files_.createDirectories(joinPath(job_directory_, "taskowned")));
    return probe(files_, job_directory_);
  };
  return annotate(make(), absl::StrFormat("the checkpoint directory '%s' "
                                          "(execution.checkpointing.dir) cannot be used",
                                          parentPath(job_directory_)));
}

absl::Status FileCheckpointStorage::begin(int64_t checkpoint_id) {
  return files_.createDirectories(checkpointDirectory(job_directory_, checkpoint_id));
}

absl::StatusOr<StoredCheckpoint> FileCheckpointStorage::complete(
    const CheckpointMetadata& metadata, const std::map<OperatorId, OperatorName>& names) {
  StoredCheckpoint checkpoint;
  checkpoint.metadata = metadata;
  checkpoint.names = names;
  checkpoint.directory = checkpointDirectory(job_directory_, metadata.checkpoint_id);
  checkpoint.path = toFileUri(checkpoint.directory);
  const std::string bytes = encodeMetadata(metadata);
  const FileDigest digest = digestOf(bytes);

  Sidecar sidecar;
  sidecar.checkpoint_id = metadata.checkpoint_id;
  sidecar.job = job_;
  sidecar.version = kVersion;
  sidecar.operators = names;
  for (const OperatorSnapshot& one : metadata.operators) {
    StateTypes types = typesOf(files_, checkpoint.directory, one);
    if (!types.isEmpty()) sidecar.types[one.id] = std::move(types);
  }
  WIESEL_ASSIGN_OR_RETURN(sidecar.files, checkFiles(checkpoint.directory, metadata));
  sidecar.files.insert(sidecar.files.begin(), {kMetadataFileName, digest.size, digest.checksum});
  const std::string sidecar_bytes = encodeSidecar(sidecar);
  WIESEL_RETURN_IF_ERROR(
      files_.writeAtomically(joinPath(checkpoint.directory, kSidecarFileName), sidecar_bytes));
  WIESEL_RETURN_IF_ERROR(
      files_.writeAtomically(joinPath(checkpoint.directory, kMetadataFileName), bytes));
  checkpoint.size_bytes = digest.size + sizeOfFiles(metadata);
  return checkpoint;
}

absl::Status FileCheckpointStorage::discard(int64_t checkpoint_id) {
  const std::string directory = checkpointDirectory(job_directory_, checkpoint_id);
  const absl::Status status = files_.removeFile(joinPath(directory, kMetadataFileName));
  if (!status.ok() && !absl::IsNotFound(status)) return status;
  return files_.removeAll(directory);
}

absl::StatusOr<StoredCheckpoint> FileCheckpointStorage::load(const std::string& path) {
  return loadCheckpoint(files_, path);
}

/// Lists the state files, after a look that each is there in its full size.
absl::StatusOr<std::vector<CheckedFile>> FileCheckpointStorage::checkFiles(
    const std::string& directory, const CheckpointMetadata& metadata) const {
  std::vector<CheckedFile> checked;
  std::set<std::string> seen;
  absl::Status status;
  const auto check = [&](const StreamHandle& handle) -> absl::Status {
    const std::string path = pathOf(directory, handle);
    WIESEL_ASSIGN_OR_RETURN(const uint64_t size, files_.fileSize(path));
    FileDigest actual{static_cast<int64_t>(size), handle.checksum};
    if (handle.checksum == 0) {
      WIESEL_ASSIGN_OR_RETURN(actual, digestFile(files_, path));
    }
    checked.push_back({handle.name, handle.size, actual.checksum});
    return compareDigests(path, {handle.size, handle.checksum}, actual);
  };
  forEachStream(metadata, [&](const StreamHandle& handle) {
    if (handle.kind == StreamHandle::Kind::kInline || !status.ok()) return;
    if (seen.insert(handle.name).second) status = check(handle);
  });
  if (!status.ok()) return status;
  return checked;
}

}  // namespace wiesel::checkpoint
