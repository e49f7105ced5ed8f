#include "common/filesystem/in_memory_file_system.h"

#include <cerrno>
#include <filesystem>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/filesystem/file_error.h"
#include "common/status_macros.h"

namespace wiesel {
namespace {

/// Absolute, without "..", "." and doubled or trailing slashes.
std::string normalPath(const std::string& path) {
  std::string normal = std::filesystem::path("/" + path).lexically_normal().string();
  while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  while (normal.starts_with("//")) normal.erase(0, 1);
  return normal;
}

std::string childPrefix(const std::string& directory) {
  return directory == "/" ? directory : directory + "/";
}

}  // namespace

class InMemoryFileSystem::Writer final : public OutputFile {
 public:
  Writer(ContentPointer content, std::string path)
      : content_(std::move(content)), path_(std::move(path)) {}

  absl::Status append(std::string_view bytes) override {
    WIESEL_RETURN_IF_ERROR(flush());
    const MutexLock lock(content_->mutex);
    content_->bytes += bytes;
    return absl::OkStatus();
  }
  absl::Status flush() override {
    return content_ == nullptr ? fileError("write", path_, EBADF) : absl::OkStatus();
  }
  absl::Status sync() override { return flush(); }
  absl::Status close() override {
    content_ = nullptr;
    return absl::OkStatus();
  }

 private:
  ContentPointer content_;  // Null: closed.
  const std::string path_;
};

InMemoryFileSystem::InMemoryFileSystem() : nodes_{{"/", nullptr}} {}

absl::StatusOr<std::string> InMemoryFileSystem::readAll(const std::string& path) const {
  WIESEL_ASSIGN_OR_RETURN(const ContentPointer content, contentOf("read", path));
  const MutexLock lock(content->mutex);
  return content->bytes;
}

absl::StatusOr<std::string> InMemoryFileSystem::readRange(const std::string& path, uint64_t offset,
                                                          uint64_t size) const {
  WIESEL_ASSIGN_OR_RETURN(const ContentPointer content, contentOf("read", path));
  const MutexLock lock(content->mutex);
  const uint64_t file_size = content->bytes.size();
  if (offset > file_size || size > file_size - offset) {
    return absl::OutOfRangeError(absl::StrFormat(
        "cannot read '%s': the range ends after the file (offset=%d, size=%d, file_size=%d)", path,
        offset, size, file_size));
  }
  return content->bytes.substr(offset, size);
}

absl::StatusOr<std::unique_ptr<OutputFile>> InMemoryFileSystem::openForWrite(
    const std::string& path, OpenMode mode) {
  const std::string normal = normalPath(path);
  const MutexLock lock(mutex_);
  if (const int error_number = checkParent(normal)) return fileError("open", path, error_number);
  const auto [node, created] = nodes_.try_emplace(normal, nullptr);
  if (created) node->second = std::make_shared<Content>();
  if (node->second == nullptr) return fileError("open", path, EISDIR);
  if (mode == OpenMode::kTruncate) {
    const MutexLock content_lock(node->second->mutex);
    node->second->bytes.clear();
  }
  return std::make_unique<Writer>(node->second, path);
}

absl::Status InMemoryFileSystem::writeAtomically(const std::string& path, std::string_view bytes) {
  const std::string normal = normalPath(path);
  auto content = std::make_shared<Content>();
  {
    const MutexLock lock(content->mutex);
    content->bytes = bytes;
  }
  const MutexLock lock(mutex_);
  if (const int error_number = checkParent(normal)) return fileError("write", path, error_number);
  const auto old = find(normal);
  if (old != nodes_.end() && old->second == nullptr) return fileError("write", path, EISDIR);
  nodes_.insert_or_assign(normal, std::move(content));
  return absl::OkStatus();
}

absl::Status InMemoryFileSystem::rename(const std::string& from, const std::string& to) {
  const std::string normal_from = normalPath(from);
  const std::string normal_to = normalPath(to);
  const MutexLock lock(mutex_);
  if (const int error_number = checkRename(normal_from, normal_to)) {
    return fileError("rename", absl::StrFormat("%s' to '%s", from, to), error_number);
  }
  if (normal_from == normal_to) return absl::OkStatus();
  nodes_.insert_or_assign(normal_to, find(normal_from)->second);
  nodes_.erase(normal_from);
  const std::string prefix = childPrefix(normal_from);
  for (auto child = nodes_.lower_bound(prefix);
       child != nodes_.end() && child->first.starts_with(prefix);) {
    nodes_.insert_or_assign(childPrefix(normal_to) + child->first.substr(prefix.size()),
                            child->second);
    child = nodes_.erase(child);
  }
  return absl::OkStatus();
}

absl::Status InMemoryFileSystem::removeFile(const std::string& path) {
  const std::string normal = normalPath(path);
  const MutexLock lock(mutex_);
  const auto node = find(normal);
  if (node == nodes_.end()) {
    const int error_number = checkParent(normal);
    return fileError("remove", path, error_number == 0 ? ENOENT : error_number);
  }
  if (node->second == nullptr) return fileError("remove", path, EISDIR);
  nodes_.erase(node);
  return absl::OkStatus();
}

absl::Status InMemoryFileSystem::removeAll(const std::string& path) {
  const std::string normal = normalPath(path);
  const MutexLock lock(mutex_);
  const std::string prefix = childPrefix(normal);
  std::erase_if(nodes_, [&](const auto& node) {
    return node.first != "/" && (node.first == normal || node.first.starts_with(prefix));
  });
  return absl::OkStatus();
}

absl::Status InMemoryFileSystem::createDirectories(const std::string& path) {
  const std::string normal = normalPath(path);
  const MutexLock lock(mutex_);
  for (size_t end = normal.find('/', 1);; end = normal.find('/', end + 1)) {
    const auto [node, created] = nodes_.try_emplace(normal.substr(0, end), nullptr);
    if (node->second != nullptr) return fileError("create the directory", node->first, ENOTDIR);
    if (end == std::string::npos) return absl::OkStatus();
  }
}

absl::StatusOr<std::vector<std::string>> InMemoryFileSystem::list(
    const std::string& directory) const {
  const std::string normal = normalPath(directory);
  const MutexLock lock(mutex_);
  const auto node = find(normal);
  if (node == nodes_.end()) {
    const int error_number = checkParent(normal);
    return fileError("list", directory, error_number == 0 ? ENOENT : error_number);
  }
  if (node->second != nullptr) return fileError("list", directory, ENOTDIR);
  const std::string prefix = childPrefix(normal);
  std::vector<std::string> names;
  for (auto child = nodes_.upper_bound(prefix);
       child != nodes_.end() && child->first.starts_with(prefix); ++child) {
    std::string name = child->first.substr(prefix.size());
    if (name.find('/') == std::string::npos) names.push_back(std::move(name));
  }
  return names;
}

bool InMemoryFileSystem::exists(const std::string& path) const {
  const MutexLock lock(mutex_);
  return find(normalPath(path)) != nodes_.end();
}

bool InMemoryFileSystem::isDirectory(const std::string& path) const {
  const MutexLock lock(mutex_);
  const auto node = find(normalPath(path));
  return node != nodes_.end() && node->second == nullptr;
}

absl::StatusOr<uint64_t> InMemoryFileSystem::fileSize(const std::string& path) const {
  WIESEL_ASSIGN_OR_RETURN(const ContentPointer content, contentOf("read the size of", path));
  const MutexLock lock(content->mutex);
  return content->bytes.size();
}

absl::Status InMemoryFileSystem::truncate(const std::string& path, uint64_t size) {
  WIESEL_ASSIGN_OR_RETURN(const ContentPointer content, contentOf("open", path));
  const MutexLock lock(content->mutex);
  const uint64_t file_size = content->bytes.size();
  if (size > file_size) {
    return absl::OutOfRangeError(absl::StrFormat(
        "cannot truncate '%s': it is shorter (size=%d, file_size=%d)", path, size, file_size));
  }
  content->bytes.resize(size);
  return absl::OkStatus();
}

absl::Status InMemoryFileSystem::hardLinkOrCopy(const std::string& from, const std::string& to) {
  WIESEL_ASSIGN_OR_RETURN(const ContentPointer content, contentOf("link", from));
  const std::string normal_to = normalPath(to);
  const MutexLock lock(mutex_);
  int error_number = checkParent(normal_to);
  if (error_number == 0 && find(normal_to) != nodes_.end()) error_number = EEXIST;
  if (error_number != 0) {
    return fileError("link", absl::StrFormat("%s' to '%s", from, to), error_number);
  }
  nodes_.emplace(normal_to, content);
  return absl::OkStatus();
}

InMemoryFileSystem::Nodes::const_iterator InMemoryFileSystem::find(const std::string& path) const {
  return nodes_.find(path);
}

bool InMemoryFileSystem::hasChildren(const std::string& path) const {
  const std::string prefix = childPrefix(path);
  const auto child = nodes_.upper_bound(prefix);
  return child != nodes_.end() && child->first.starts_with(prefix);
}

int InMemoryFileSystem::checkParent(const std::string& path) const {
  for (std::string parent = parentPath(path);; parent = parentPath(parent)) {
    const auto node = find(parent);
    if (node == nodes_.end()) continue;
    if (node->second != nullptr) return ENOTDIR;
    return parent == parentPath(path) ? 0 : ENOENT;
  }
}

int InMemoryFileSystem::checkRename(const std::string& from, const std::string& to) const {
  const auto source = find(from);
  if (source == nodes_.end()) {
    const int error_number = checkParent(from);
    return error_number == 0 ? ENOENT : error_number;
  }
  if (to.starts_with(childPrefix(from))) return EINVAL;
  if (const int error_number = checkParent(to)) return error_number;
  const auto target = find(to);
  if (target == nodes_.end() || from == to) return 0;
  const bool moves_directory = source->second == nullptr;
  const bool onto_directory = target->second == nullptr;
  if (moves_directory && !onto_directory) return ENOTDIR;
  if (!moves_directory && onto_directory) return EISDIR;
  return onto_directory && hasChildren(to) ? ENOTEMPTY : 0;
}

absl::StatusOr<InMemoryFileSystem::ContentPointer> InMemoryFileSystem::contentOf(
    std::string_view action, const std::string& path) const {
  const std::string normal = normalPath(path);
  const MutexLock lock(mutex_);
  const auto node = find(normal);
  if (node == nodes_.end()) {
    const int error_number = checkParent(normal);
    return fileError(action, path, error_number == 0 ? ENOENT : error_number);
  }
  if (node->second == nullptr) return fileError(action, path, EISDIR);
  return node->second;
}

}  // namespace wiesel
