#include "common/check.h"

#include <gtest/gtest.h>

namespace wiesel {
namespace {

TEST(CheckTest, DoesNothingWhenTheConditionHolds) {
  bool message_was_evaluated = false;
  const auto message = [&] {
    message_was_evaluated = true;
    return "unused";
  };
  WIESEL_CHECK(1 + 1 == 2) << message();
  EXPECT_FALSE(message_was_evaluated);
}

TEST(CheckDeathTest, AbortsWithPlaceConditionAndMessage) {
  const int index = 7;
  EXPECT_DEATH(WIESEL_CHECK(index < 3) << "index " << index,
               "check_test.cc:[0-9]+: check failed: index < 3 index 7");
}

TEST(CheckTest, BelongsToTheIfThatItStandsIn) {
  bool reached_else = false;
  if (reached_else)
    WIESEL_CHECK(false);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

}  // namespace
}  // namespace wiesel
