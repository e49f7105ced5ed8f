#pragma once

#include <string>

#include "common/standard_stream.h"

namespace wiesel::runtime {

/// Writes a line to one of the process's outputs in one piece and flushes it. Thread-safe.
void printLine(StandardStream stream, const std::string& line);

}  // namespace wiesel::runtime
