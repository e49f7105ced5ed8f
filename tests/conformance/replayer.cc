#include "tests/conformance/replayer.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace wiesel::conformance {
namespace {

using nlohmann::json;

std::string_view nextLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool namesFamily(const json& scenario) {
  return scenario.is_object() && scenario.contains("family") && scenario["family"].is_string();
}

std::string_view nameOf(Backend backend) {
  return backend == Backend::kHashmap ? "hashmap" : "rocksdb";
}

}  // namespace

Replayer::Replayer(std::vector<Family> families, std::vector<Backend> backends,
                   std::ostream& report)
    : families_(std::move(families)), backends_(std::move(backends)), report_(report) {}

void Replayer::replayFile(const std::string& file, std::string_view text) {
  bool ours = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = nextLine(text);
    if (isBlank(line)) continue;
    if (!ours && !namesFamily(json::parse(line, nullptr, /*allow_exceptions=*/false))) return;
    ours = true;
    replayLine(file + ":" + std::to_string(number), line);
  }
}

void Replayer::replayLine(const std::string& place, std::string_view line) {
  const json scenario = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!namesFamily(scenario)) {
    ++counts_.failed;
    report_ << "FAILED " << place << ": the line is no scenario\n";
    return;
  }
  const std::string family_name = scenario["family"];
  const auto family = std::ranges::find(families_, family_name, &Family::name);
  if (family == families_.end()) {
    ++counts_.skipped;
    ++skipped_by_family_[family_name];
    return;
  }
  std::string name = place;
  if (scenario.contains("id") && scenario["id"].is_string()) {
    name = scenario["id"].get<std::string>();
  }
  if (!family->keeps_state) return replayScenario(name, *family, scenario, Backend::kHashmap);
  for (const Backend backend : backends_) {
    const std::string in_backend = name + " (" + std::string(nameOf(backend)) + ")";
    replayScenario(in_backend, *family, scenario, backend);
  }
}

void Replayer::replayScenario(const std::string& name, const Family& family, const json& scenario,
                              Backend backend) {
  std::optional<std::string> difference;
  try {
    difference = family.replay(scenario, backend);
  } catch (const std::exception& error) {
    difference = error.what();
  }
  if (!difference.has_value()) {
    ++counts_.passed;
    return;
  }
  ++counts_.failed;
  report_ << "FAILED " << name << ": " << *difference << "\n";
}

std::optional<std::string> Replayer::replayDirectory(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry;
  if (fs::is_regular_file(directory, error)) {
    files.push_back(directory);
  } else {
    entry = fs::recursive_directory_iterator(directory, error);
  }
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".jsonl") files.push_back(entry->path().string());
  }
  if (error) return "cannot read the directory " + directory + ": " + error.message();
  std::ranges::sort(files);
  const std::optional<std::string> problem = replayFiles(files);
  if (problem.has_value()) return problem;
  if (counts_.passed + counts_.failed + counts_.skipped == 0) {
    return "there is no scenario of an operator below " + directory;
  }
  return std::nullopt;
}

std::optional<std::string> Replayer::replayFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (!stream) return "cannot read " + file;
    replayFile(file, text);
  }
  return std::nullopt;
}

Counts Replayer::finish() {
  for (const auto& [family, count] : skipped_by_family_) {
    report_ << "skipped " << count << " of " << family << ": not in this version\n";
  }
  report_ << counts_.passed << " passed, " << counts_.failed << " failed, " << counts_.skipped
          << " skipped\n";
  return counts_;
}

}  // namespace wiesel::conformance
