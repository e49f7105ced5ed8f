#pragma once

#include <string>

namespace wiesel {

/// A relative path as seen from the current directory. What has a scheme ("file:x", "s3://bucket"),
/// is absolute or empty stays as it is. A colon alone is part of a name: "run-12:30/x" is a path.
std::string absolutePath(const std::string& uri_or_path);

}  // namespace wiesel
