#include "common/filesystem/absolute_path.h"

#include <filesystem>
#include <system_error>

#include "common/filesystem/file_system.h"

namespace wiesel {

std::string absolutePath(const std::string& uri_or_path) {
  const bool has_scheme = toFileUri(uri_or_path) == uri_or_path;
  if (uri_or_path.empty() || has_scheme) return uri_or_path;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(uri_or_path, error);
  return error ? uri_or_path : absolute.lexically_normal().string();
}

}  // namespace wiesel
