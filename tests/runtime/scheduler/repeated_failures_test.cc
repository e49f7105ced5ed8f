#include "runtime/scheduler/repeated_failures.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wiesel::runtime {
namespace {

TEST(RepeatedFailuresTest, SaysTheSameCauseAtGrowingIntervals) {
  RepeatedFailures failures;
  std::vector<int64_t> said_ms;
  int64_t counted = 0;
  for (int64_t now_ms = 0; now_ms <= 300'000; now_ms += 10) {
    if (const auto times = failures.onFailure("it broke", now_ms)) {
      said_ms.push_back(now_ms);
      counted += *times;
    }
  }
  EXPECT_EQ(said_ms, (std::vector<int64_t>{0, 1'000, 3'000, 7'000, 15'000, 31'000, 63'000, 123'000,
                                           183'000, 243'000}));
  EXPECT_EQ(counted, 24'301) << "every failure is in one of the counts";
}

TEST(RepeatedFailuresTest, AnotherCauseIsSaidAtOnceAndTheFirstIsNotForgotten) {
  RepeatedFailures failures;
  EXPECT_EQ(failures.onFailure("a", 0), 1);
  EXPECT_EQ(failures.onFailure("b", 1), 1);
  EXPECT_EQ(failures.onFailure("a", 2), std::nullopt);
  EXPECT_EQ(failures.onFailure("b", 3), std::nullopt);
}

TEST(RepeatedFailuresTest, ACauseThatWasAwayForLongIsNew) {
  RepeatedFailures failures;
  EXPECT_EQ(failures.onFailure("a", 0), 1);
  EXPECT_EQ(failures.onFailure("a", 10), std::nullopt);
  EXPECT_EQ(failures.onFailure("a", 11 + RepeatedFailures::kMaxIntervalMs), 1);
}

TEST(RepeatedFailuresTest, RemembersABoundedNumberOfCauses) {
  RepeatedFailures failures;
  EXPECT_EQ(failures.onFailure("oldest", 0), 1);
  for (size_t i = 0; i < RepeatedFailures::kMaxCauses; ++i) {
    EXPECT_EQ(failures.onFailure(std::to_string(i), 1), 1);
  }
  EXPECT_EQ(failures.onFailure("oldest", 2), 1);
  EXPECT_EQ(failures.onFailure("15", 2), std::nullopt);
}

}  // namespace
}  // namespace wiesel::runtime
