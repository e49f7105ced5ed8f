#pragma once

#include <string>
#include <string_view>

namespace wiesel::conformance {

/// Finds the project's own copy of one kind of recordings: `tests/conformance/data/<kind>` in the
/// runfiles of this binary, else in the current directory or one above it. Returns the path below
/// the current directory when there is none.
std::string dataDirectory(std::string_view kind);

}  // namespace wiesel::conformance
