#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wiesel::runtime {

/// What lastLines() takes at most. The end of a line that is longer stays.
inline constexpr size_t kMaxLastLines = 3;
inline constexpr size_t kMaxLastBytes = 1024;

/// The end of what was written to a text file after its first `from_byte` bytes, in one line: its
/// last lines, those that are blank left out, with " | " between them. Empty when there is nothing,
/// or no such file.
std::string lastLines(const std::string& file, int64_t from_byte);

/// The size of a file; 0 when there is none.
int64_t fileSize(const std::string& file);

}  // namespace wiesel::runtime
