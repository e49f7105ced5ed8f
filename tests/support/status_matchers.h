#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

/// EXPECT_OK(status_or_status_or), ASSERT_OK(...), and
/// ASSERT_OK_AND_ASSIGN(const std::string text, readAll(path));
#define EXPECT_OK(expression) EXPECT_THAT(expression, ::wiesel::testing::IsOk())
#define ASSERT_OK(expression) ASSERT_THAT(expression, ::wiesel::testing::IsOk())

#define ASSERT_OK_AND_ASSIGN(lhs, expression) \
  WIESEL_TEST_ASSIGN_(WIESEL_TEST_JOIN_(test_status_or_, __LINE__), lhs, expression)
#define WIESEL_TEST_ASSIGN_(variable, lhs, expression) \
  auto variable = (expression);                        \
  ASSERT_TRUE(variable.ok()) << variable.status();     \
  lhs = std::move(variable).value()
#define WIESEL_TEST_JOIN_(a, b) WIESEL_TEST_JOIN_AGAIN_(a, b)
#define WIESEL_TEST_JOIN_AGAIN_(a, b) a##b

namespace wiesel::testing {

inline const absl::Status& statusOf(const absl::Status& status) { return status; }
template <class T>
const absl::Status& statusOf(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

/// Matches an OK absl::Status or absl::StatusOr.
MATCHER(IsOk, negation ? "is not OK" : "is OK") {
  *result_listener << statusOf(arg);
  return statusOf(arg).ok();
}

/// Matches a status with this code whose message matches, for example
/// StatusIs(absl::StatusCode::kNotFound, HasSubstr("/a/b")).
MATCHER_P2(StatusIs, code, message,
           "has the code " + absl::StatusCodeToString(code) + " and a message that " +
               ::testing::DescribeMatcher<std::string>(message, negation)) {
  const absl::Status& status = statusOf(arg);
  *result_listener << status;
  return status.code() == code &&
         ::testing::ExplainMatchResult(message, std::string(status.message()), result_listener);
}

MATCHER_P(StatusIs, code, "has the code " + absl::StatusCodeToString(code)) {
  *result_listener << statusOf(arg);
  return statusOf(arg).code() == code;
}

/// Matches a StatusOr that is OK and whose value matches.
MATCHER_P(IsOkAndHolds, value, "is OK and holds a value that matches") {
  if (!arg.ok()) {
    *result_listener << arg.status();
    return false;
  }
  return ::testing::ExplainMatchResult(value, *arg, result_listener);
}

}  // namespace wiesel::testing
