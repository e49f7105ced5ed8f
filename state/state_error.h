#pragma once

#include <stdexcept>
#include <string>

namespace wiesel::state {

/// State that cannot be read, written or restored: a database error, bytes of another type, a
/// missing key context. Thrown out of state handles; the task that made the call fails with the
/// text.
class StateError : public std::runtime_error {
 public:
  explicit StateError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace wiesel::state
