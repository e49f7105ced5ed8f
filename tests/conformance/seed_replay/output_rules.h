#pragma once

#include <string>
#include <vector>

#include "tests/conformance/seed_replay/output_comparison.h"

// What the four programs print, line by line. Each throws std::runtime_error for a line that its
// program cannot have printed.

namespace wiesel::conformance {

/// The lines "name:" and "age:" in order each; the firings per id, whose lines must stay together.
/// `by_clock`: event times are those of the clock and are left out.
std::vector<OutputItem> readLeftJoin(const std::vector<std::string>& lines, bool by_clock);

/// The lines "B|" and "D|" in order; "W|" and "L|" in order per id. Those of the article in order.
std::vector<OutputItem> readBroadcast(const std::vector<std::string>& lines, bool article);

/// The lines "G|" in order; windows and late records in order per key. Lines with clock times are
/// checked one by one and left out.
std::vector<OutputItem> readDynamicWatermark(const std::vector<std::string>& lines);

/// The joined rows, as JSON values, in order per school.
std::vector<OutputItem> readInnerJoin(const std::vector<std::string>& lines);

}  // namespace wiesel::conformance
