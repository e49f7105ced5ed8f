#include "tests/conformance/seed_replay/checkpoint_tree.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

namespace wiesel::conformance {
namespace {

namespace fs = std::filesystem;

/// The parts of a path below the checkpoint directory.
void addPath(const std::string& path, CheckpointTree& tree) {
  constexpr std::string_view kCheckpoint = "chk-";
  const fs::path relative(path);
  auto part = relative.begin();
  JobTree& job = tree[*part];
  if (++part == relative.end()) return;
  const std::string name = *part;
  int number = 0;
  const char* end = name.data() + name.size();
  const bool is_checkpoint =
      name.starts_with(kCheckpoint) &&
      std::from_chars(name.data() + kCheckpoint.size(), end, number).ptr == end;
  if (!is_checkpoint) {
    job.others.insert(name);
  } else if (++part != relative.end() && *part == "_metadata") {
    job.complete.insert(number);
    job.incomplete.erase(number);
  } else if (!job.complete.contains(number)) {
    job.incomplete.insert(number);
  }
}

/// A job's tree in words, without numbers.
std::string describe(const JobTree& job) {
  std::string text = std::to_string(job.complete.size()) + " complete and " +
                     std::to_string(job.incomplete.size()) + " incomplete checkpoints beside";
  for (const std::string& other : job.others) text += " " + other;
  return text;
}

std::vector<std::string> describeAll(const CheckpointTree& tree) {
  std::vector<std::string> jobs;
  for (const auto& [id, job] : tree) jobs.push_back(describe(job));
  std::ranges::sort(jobs);
  return jobs;
}

}  // namespace

CheckpointTree parseTree(const std::string& listing) {
  CheckpointTree tree;
  std::istringstream lines(listing);
  std::string type, path, size;
  while (lines >> type >> path >> size) addPath(path, tree);
  return tree;
}

CheckpointTree scanTree(const std::string& directory) {
  CheckpointTree tree;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    addPath(entry->path().lexically_relative(directory), tree);
  }
  return tree;
}

std::optional<std::string> compareTrees(const CheckpointTree& recorded,
                                        const CheckpointTree& actual) {
  const std::vector<std::string> expected = describeAll(recorded);
  const std::vector<std::string> found = describeAll(actual);
  for (size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    const std::string& left = i < expected.size() ? expected[i] : "no job";
    const std::string& right = i < found.size() ? found[i] : "no job";
    if (left != right) return "checkpoint directory: expected " + left + ", got " + right;
  }
  return std::nullopt;
}

}  // namespace wiesel::conformance
