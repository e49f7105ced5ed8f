#pragma once

#include <string>

namespace wiesel::testing {

/// An empty directory that goes away, with all that is in it, with this object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  /// Absolute, without a slash at the end.
  const std::string& path() const { return path_; }

  /// path() + "/" + name.
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace wiesel::testing
