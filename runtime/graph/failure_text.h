#pragma once

#include <cstddef>
#include <string>

namespace wiesel::runtime {

/// The longest text about one failure that is kept, sent and shown.
inline constexpr size_t kMaxFailureTextBytes = 64u << 10;

/// The text itself, or its begin and a word about how long it was: at most kMaxFailureTextBytes. A
/// character of UTF-8 is not cut in two.
std::string boundedFailureText(const std::string& text);

}  // namespace wiesel::runtime
