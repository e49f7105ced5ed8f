#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace wiesel {

/// "cannot <action> '<path>': <errno text>", with the code that file_system.h promises. Requires
/// error_number != 0.
absl::Status fileError(std::string_view action, std::string_view path, int error_number);

/// The same for a disk that may be full: then `free_bytes` stands in the message.
absl::Status fileError(std::string_view action, std::string_view path, int error_number,
                       uint64_t free_bytes);

}  // namespace wiesel
