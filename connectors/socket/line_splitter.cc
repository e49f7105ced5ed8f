#include "connectors/socket/line_splitter.h"

#include <stdexcept>
#include <utility>

namespace wiesel::connectors {

LineSplitter::LineSplitter(char delimiter, size_t max_line_bytes)
    : delimiter_(delimiter), max_line_bytes_(max_line_bytes) {}

void LineSplitter::add(std::string_view bytes, std::vector<std::string>& lines) {
  for (size_t end = bytes.find(delimiter_); end != std::string_view::npos;
       end = bytes.find(delimiter_)) {
    appendToRest(bytes.substr(0, end));
    if (delimiter_ == '\n' && rest_.ends_with('\r')) rest_.pop_back();
    lines.push_back(std::exchange(rest_, std::string()));
    bytes.remove_prefix(end + 1);
  }
  appendToRest(bytes);
}

std::optional<std::string> LineSplitter::takeRest() {
  if (rest_.empty()) return std::nullopt;
  return std::exchange(rest_, std::string());
}

void LineSplitter::appendToRest(std::string_view bytes) {
  if (rest_.size() + bytes.size() > max_line_bytes_) {
    throw std::runtime_error("a line is longer than " + std::to_string(max_line_bytes_) +
                             " bytes; is the delimiter right?");
  }
  rest_ += bytes;
}

}  // namespace wiesel::connectors
