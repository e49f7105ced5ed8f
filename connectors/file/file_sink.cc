#include "connectors/file/file_sink.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "absl/status/status.h"
#include "common/check.h"
#include "common/filesystem/file_system.h"
#include "common/log.h"
#include "common/status_macros.h"
#include "connectors/file/part_name.h"
#include "runtime/functions/suppress_restarts_exception.h"

namespace wiesel {
namespace {

using connectors::kInProgress;
using connectors::kPending;
using connectors::PartName;

constexpr size_t kBufferBytes = 64 * 1024;
constexpr size_t kJobDigits = 8;
constexpr size_t kSinkDigits = 4;  // Two sinks of one job may share a directory.

void throwIfFailed(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

template <class T>
T valueOrThrow(absl::StatusOr<T> value) {
  throwIfFailed(value.status());
  return *std::move(value);
}

/// What is prepared here may be committed by a process that was started elsewhere.
std::string absolutePath(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// Whether a later attempt may fare better although nobody has changed anything.
bool isTransient(const absl::Status& status) {
  return absl::IsResourceExhausted(status) || absl::IsUnavailable(status) ||
         absl::IsInternal(status);
}

/// Writes one file after the other; the one at hand has the name `next_`.
class Writer final : public SinkWriter<std::string> {
 public:
  Writer(const std::string& directory, const SinkContext& context)
      : directory_(absolutePath(directory)), files_(*context.files) {
    next_ = {context.job_id.substr(0, kJobDigits) + context.operator_id.substr(0, kSinkDigits),
             context.subtask,
             context.parallelism,
             context.attempt,
             0,
             ""};
    if (const absl::Status usable = makeUsable(); !usable.ok()) {
      const std::string text =
          "cannot write to the directory '" + directory_ +
          "' of a TextFileSink: give one that every TaskManager can write to: " +
          std::string(usable.message());
      // A job that has run before may wait for its directory to come back.
      if (context.attempt == 0 && !isTransient(usable)) throw SuppressRestartsException(text);
      throw std::runtime_error(text);
    }
    tidyUp();
  }

  void write(const std::string& value, std::optional<int64_t>) override {
    buffer_ += value;
    buffer_ += '\n';
    if (buffer_.size() >= kBufferBytes) flushBuffer();
  }

  std::vector<std::string> prepareCommit() override {
    if (!buffer_.empty()) flushBuffer();
    if (file_ == nullptr) return {};
    throwIfFailed(file_->sync());
    throwIfFailed(std::exchange(file_, nullptr)->close());
    throwIfFailed(files_.rename(path(kInProgress), path(kPending)));
    std::string committable = path("");
    ++next_.number;
    return {std::move(committable)};
  }

  void close() override {
    if (file_ == nullptr) return;
    file_.reset();
    if (const absl::Status removed = files_.removeFile(path(kInProgress)); !removed.ok()) {
      WIESEL_LOG(WARN) << "An unfinished file was left behind: " << removed.message();
    }
  }

 private:
  std::string path(std::string_view ending) const {
    return joinPath(directory_, next_.toString()) + std::string(ending);
  }

  /// Finds out before the first record whether files can be made here.
  absl::Status makeUsable() {
    WIESEL_RETURN_IF_ERROR(files_.createDirectories(directory_));
    WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> probe,
                            files_.openForWrite(path(kInProgress), OpenMode::kTruncate));
    WIESEL_RETURN_IF_ERROR(probe->close());
    return files_.removeFile(path(kInProgress));
  }

  void flushBuffer() {
    if (file_ == nullptr) {
      file_ = valueOrThrow(files_.openForWrite(path(kInProgress), OpenMode::kTruncate));
    }
    throwIfFailed(file_->append(buffer_));
    buffer_.clear();
  }

  /// Removes what earlier attempts have left, and begins behind the files of this name that are
  /// there: a committed one is never written again.
  void tidyUp() {
    for (const std::string& name : valueOrThrow(files_.list(directory_))) {
      const std::optional<PartName> part = PartName::parse(name);
      if (!part) continue;
      if (isLeftover(*part, next_)) {
        throwIfFailed(files_.removeAll(joinPath(directory_, name)));
      }
      if (part->job == next_.job && part->subtask == next_.subtask &&
          part->parallelism == next_.parallelism && part->attempt == next_.attempt) {
        next_.number = std::max(next_.number, part->number + 1);
      }
    }
  }

  const std::string directory_;
  FileSystem& files_;  // Not owned.
  PartName next_;
  std::unique_ptr<OutputFile> file_;  // Null until something goes to the file `next_`.
  std::string buffer_;                // What has not gone to it yet.
};

/// A committable is the path that the file will have.
class RenamingCommitter final : public Committer {
 public:
  explicit RenamingCommitter(FileSystem& files) : files_(files) {}

  void commit(const std::string& path) override {
    const std::string pending = path + std::string(kPending);
    if (files_.exists(pending)) return throwIfFailed(files_.rename(pending, path));
    if (files_.exists(path)) return;  // Committed before.
    throw std::runtime_error("cannot commit '" + path + "': neither this file nor '" + pending +
                             "' exists, so results that a checkpoint holds are lost; was the "
                             "directory changed by hand?");
  }

 private:
  FileSystem& files_;  // Not owned.
};

}  // namespace

TextFileSink::TextFileSink(std::string directory) : directory_(stripFileScheme(directory)) {}

std::unique_ptr<SinkWriter<std::string>> TextFileSink::createWriter(
    const SinkContext& context) const {
  WIESEL_CHECK(context.files != nullptr);
  return std::make_unique<Writer>(directory_, context);
}

std::unique_ptr<Committer> TextFileSink::createCommitter(const SinkContext& context) const {
  WIESEL_CHECK(context.files != nullptr);
  return std::make_unique<RenamingCommitter>(*context.files);
}

}  // namespace wiesel
