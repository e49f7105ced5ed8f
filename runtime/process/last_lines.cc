#include "runtime/process/last_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_join.h"

namespace wiesel::runtime {

namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kCut = "...";

std::string trimmed(const std::string& line) {
  const size_t begin = line.find_first_not_of(kBlank);
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(kBlank) + 1 - begin);
}

}  // namespace

std::string lastLines(const std::string& file, int64_t from_byte) {
  const int64_t end = fileSize(file);
  const int64_t begin = std::max(from_byte, end - static_cast<int64_t>(kMaxLastBytes));
  std::ifstream stream(file, std::ios::binary);
  if (begin >= end || !stream.seekg(begin)) return "";
  std::string text(static_cast<size_t>(end - begin), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(stream.gcount()));

  if (begin > from_byte) text.insert(0, kCut);
  std::istringstream rest(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(rest, line);) {
    line = trimmed(line);
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kMaxLastLines) {
    lines.erase(lines.begin(), lines.end() - kMaxLastLines);
  }
  return absl::StrJoin(lines, " | ");
}

int64_t fileSize(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<int64_t>(size);
}

}  // namespace wiesel::runtime
