#pragma once

#include <string>

namespace wiesel::runtime {

/// Writes a line to standard output in one piece and flushes it. Thread-safe.
void printLine(const std::string& line);

}  // namespace wiesel::runtime
