#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

/// Returns the status of `expression` (an absl::Status) from the enclosing function unless it is
/// OK.
#define WIESEL_RETURN_IF_ERROR(expression)                                  \
  do {                                                                      \
    if (::absl::Status wiesel_status = (expression); !wiesel_status.ok()) { \
      return wiesel_status;                                                 \
    }                                                                       \
  } while (false)

/// Evaluates `expression` (an absl::StatusOr<T>); on error returns its status from the enclosing
/// function, else moves the value into `lhs`, which may declare a variable. A type with commas
/// needs `auto` or an alias.
#define WIESEL_ASSIGN_OR_RETURN(lhs, expression) \
  WIESEL_ASSIGN_OR_RETURN_AT_(WIESEL_JOIN_(wiesel_status_or_, __LINE__), lhs, expression)

#define WIESEL_ASSIGN_OR_RETURN_AT_(variable, lhs, expression) \
  auto variable = (expression);                                \
  if (!variable.ok()) return std::move(variable).status();     \
  lhs = std::move(variable).value()
#define WIESEL_JOIN_(a, b) WIESEL_JOIN_AGAIN_(a, b)
#define WIESEL_JOIN_AGAIN_(a, b) a##b

namespace wiesel {

/// Puts `context` and ": " before the message; keeps code and payloads. OK stays OK.
absl::Status annotate(const absl::Status& status, std::string_view context);

}  // namespace wiesel
