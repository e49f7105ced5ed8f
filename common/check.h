#pragma once

#include <ostream>

/// Aborts the process with file, line and the condition's text unless `condition` holds. For bugs
/// in Wiesel only; what the world can do wrong travels as absl::Status. More can be streamed, and
/// is evaluated only on failure: `WIESEL_CHECK(index < size) << "index " << index;`
#define WIESEL_CHECK(condition)                      \
  (condition) ? static_cast<void>(0)                 \
              : ::wiesel::internal::CheckVoidify() & \
                    ::wiesel::internal::CheckFailure(__FILE__, __LINE__, #condition).stream()

namespace wiesel::internal {

/// Collects the message of one failed check; its destructor prints it to standard error and aborts.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition);
  CheckFailure(const CheckFailure&) = delete;
  CheckFailure& operator=(const CheckFailure&) = delete;
  [[noreturn]] ~CheckFailure();

  std::ostream& stream() { return *stream_; }

 private:
  std::ostream* stream_;  // Owned; never freed, the process ends first.
};

/// Turns the streaming expression into void; `&` binds weaker than `<<` and stronger than `?:`.
struct CheckVoidify {
  void operator&(std::ostream&) const {}
};

}  // namespace wiesel::internal
