#pragma once

#include <string>

namespace wiesel::conformance {

/// The body of the answer to GET `path` at `address` (HOST:PORT with a numeric host). Throws
/// std::runtime_error when there is no answer or its status is not 200.
std::string httpGet(const std::string& address, const std::string& path);

}  // namespace wiesel::conformance
