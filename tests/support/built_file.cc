#include "tests/support/built_file.h"

#include <cstdlib>

namespace wiesel::testing {

std::string builtFile(const std::string& path) {
  if (const char* bin = std::getenv("WIESEL_BIN")) return std::string(bin) + "/" + path;
  const char* runfiles = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  if (runfiles == nullptr || workspace == nullptr) return path;
  return std::string(runfiles) + "/" + workspace + "/" + path;
}

}  // namespace wiesel::testing
