#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel::connectors {

/// Cuts a stream of bytes into lines, wherever its pieces end.
///
/// Errors: std::runtime_error for a line of more than `max_line_bytes`.
/// Flink:  the loop of SocketTextStreamFunction (1.20): a carriage return in front of the
///         delimiter is dropped only when that is a newline, and stays in the rest.
class LineSplitter {
 public:
  LineSplitter(char delimiter, size_t max_line_bytes);

  /// Appends the lines that `bytes` completes.
  void add(std::string_view bytes, std::vector<std::string>& lines);

  /// What came after the last delimiter, if anything did.
  std::optional<std::string> takeRest();

 private:
  void appendToRest(std::string_view bytes);

  const char delimiter_;
  const size_t max_line_bytes_;
  std::string rest_;
};

}  // namespace wiesel::connectors
