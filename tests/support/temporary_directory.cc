#include "tests/support/temporary_directory.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/check.h"

namespace wiesel::testing {

TemporaryDirectory::TemporaryDirectory() {
  const char* parent = std::getenv("TEST_TMPDIR");  // Set by Bazel.
  path_ = std::string(parent == nullptr ? "/tmp" : parent) + "/wiesel-test-XXXXXX";
  WIESEL_CHECK(::mkdtemp(path_.data()) != nullptr) << path_;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace wiesel::testing
