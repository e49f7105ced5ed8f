#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace wiesel::runtime {

/// contentHash() (common/xxh.h) of a file's bytes, a few gigabytes a second when they are cached.
/// The file must not shrink meanwhile. NotFound or PermissionDenied with path and errno text.
absl::StatusOr<std::string> contentHashOfFile(const std::string& path);

}  // namespace wiesel::runtime
