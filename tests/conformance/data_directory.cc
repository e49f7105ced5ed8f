#include "tests/conformance/data_directory.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace wiesel::conformance {

std::string dataDirectory(std::string_view kind) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path inside = fs::path("tests/conformance/data") / kind;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path current = fs::current_path(error);
  std::vector<fs::path> roots = {binary.string() + ".runfiles/wiesel"};
  for (fs::path above = current; above.has_relative_path(); above = above.parent_path()) {
    roots.push_back(above);
  }
  for (const fs::path& root : roots) {
    if (fs::is_directory(root / inside, error)) return (root / inside).string();
  }
  return inside.string();
}

}  // namespace wiesel::conformance
