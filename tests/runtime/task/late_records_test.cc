#include "runtime/task/late_records.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace wiesel::runtime {
namespace {

constexpr int64_t kNow = 5'000;
constexpr int64_t kMinute = LateRecords::kPauseMs;

class LateRecordsTest : public ::testing::Test {
 protected:
  using Counts = std::vector<int64_t>;

  LateRecordsTest() {
    dropped_ = &window_.metrics.counter(kNumLateRecordsDropped);
    late_.watch(window_);
    late_.watch(map_);
  }

  void drop(int records) {
    for (int i = 0; i < records; ++i) dropped_->inc();
  }
  static Counts countsOf(const std::vector<LateRecords::Notice>& notices) {
    Counts counts;
    for (const auto& notice : notices) counts.push_back(notice.dropped);
    return counts;
  }

  OperatorContext window_;
  OperatorContext map_;  // Drops nothing.
  Counter* dropped_;
  LateRecords late_;
};

TEST_F(LateRecordsTest, OfNoneNothingIsTold) {
  EXPECT_FALSE(late_.hasNews());
  EXPECT_EQ(countsOf(late_.takeDue(kNow)), Counts{});
  EXPECT_EQ(late_.untilDueMs(kNow), std::nullopt);
}

TEST_F(LateRecordsTest, TheFirstAreToldAtOnceWithTheirOperator) {
  drop(2);
  EXPECT_TRUE(late_.hasNews());
  EXPECT_EQ(late_.untilDueMs(kNow), 0);
  const auto notices = late_.takeDue(kNow);
  EXPECT_EQ(countsOf(notices), Counts{2});
  EXPECT_EQ(notices.front().context, &window_);
  EXPECT_FALSE(late_.hasNews());
}

TEST_F(LateRecordsTest, MoreAreToldAfterAMinute) {
  drop(1);
  late_.takeDue(kNow);
  drop(3);
  EXPECT_EQ(countsOf(late_.takeDue(kNow + kMinute - 1)), Counts{});
  EXPECT_EQ(late_.untilDueMs(kNow + kMinute - 1), 1);
  EXPECT_EQ(countsOf(late_.takeDue(kNow + kMinute)), Counts{4});
  drop(1);
  EXPECT_EQ(late_.untilDueMs(kNow + kMinute), kMinute);
}

TEST_F(LateRecordsTest, AfterAQuietMinuteTheNextIsToldAtOnce) {
  drop(1);
  late_.takeDue(kNow);
  EXPECT_EQ(countsOf(late_.takeDue(kNow + 2 * kMinute)), Counts{});
  drop(1);
  EXPECT_EQ(countsOf(late_.takeDue(kNow + 2 * kMinute)), Counts{2});
}

TEST_F(LateRecordsTest, TheRestIsToldAtTheEnd) {
  drop(1);
  late_.takeDue(kNow);
  EXPECT_EQ(countsOf(late_.takeRest()), Counts{});
  drop(1);
  EXPECT_EQ(countsOf(late_.takeRest()), Counts{2});
}

}  // namespace
}  // namespace wiesel::runtime
