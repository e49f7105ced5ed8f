#include "common/status_macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/cord.h"
#include "tests/support/status_matchers.h"

namespace wiesel {
namespace {

using testing::IsOkAndHolds;
using testing::StatusIs;

absl::StatusOr<std::unique_ptr<int>> makeNumber(bool works) {
  if (!works) return absl::UnavailableError("no number");
  return std::make_unique<int>(7);
}

absl::StatusOr<int> twice(bool works) {
  WIESEL_ASSIGN_OR_RETURN(const std::unique_ptr<int> number, makeNumber(works));
  int other = 0;
  WIESEL_ASSIGN_OR_RETURN(other, absl::StatusOr<int>(*number));
  return *number + other;
}

absl::Status check(const absl::Status& status, bool& went_on) {
  WIESEL_RETURN_IF_ERROR(status);
  went_on = true;
  return absl::OkStatus();
}

TEST(StatusMacrosTest, AssignsOrReturns) {
  EXPECT_THAT(twice(true), IsOkAndHolds(14));
  EXPECT_THAT(twice(false), StatusIs(absl::StatusCode::kUnavailable, std::string("no number")));
}

TEST(StatusMacrosTest, ReturnsOnlyErrors) {
  bool went_on = false;
  EXPECT_THAT(check(absl::AbortedError("x"), went_on), StatusIs(absl::StatusCode::kAborted));
  EXPECT_FALSE(went_on);
  EXPECT_OK(check(absl::OkStatus(), went_on));
  EXPECT_TRUE(went_on);
}

TEST(StatusMacrosTest, AnnotationKeepsCodeAndPayload) {
  absl::Status status = absl::DataLossError("bad checksum");
  status.SetPayload("wiesel/file", absl::Cord("a"));
  const absl::Status annotated = annotate(status, "reading '/x'");
  EXPECT_THAT(annotated,
              StatusIs(absl::StatusCode::kDataLoss, std::string("reading '/x': bad checksum")));
  EXPECT_EQ(annotated.GetPayload("wiesel/file"), absl::Cord("a"));
  EXPECT_OK(annotate(absl::OkStatus(), "reading"));
}

}  // namespace
}  // namespace wiesel
