#pragma once

#include <string>

namespace wiesel::testing {

/// The path of a program that the test has as data, by its place in the tree ("client/wiesel"):
/// below WIESEL_BIN, which ./test sets, or among the files that `bazel test` gives the test.
std::string builtFile(const std::string& path);

}  // namespace wiesel::testing
