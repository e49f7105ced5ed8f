#pragma once

#include <stdexcept>

namespace wiesel {

/// Thrown by a function, source or sink for what another attempt would not mend: the job fails,
/// whatever its restart strategy says. Flink: SuppressRestartsException (1.20).
class SuppressRestartsException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wiesel
