#include "runtime/network/credit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/random.h"

namespace wiesel::runtime {

namespace {

TEST(SendCreditTest, TakesNoMoreThanTheWindow) {
  SendCredit credit;
  EXPECT_TRUE(credit.add(kCreditWindow));
  EXPECT_FALSE(credit.add(1));
  EXPECT_FALSE(credit.add(-1));
  credit.spend(3);
  EXPECT_TRUE(credit.add(2));
  EXPECT_FALSE(credit.add(2));
  EXPECT_EQ(credit.available(), kCreditWindow - 1);
}

struct GrantRule {
  std::string name;
  int32_t out;
  size_t queued;
  int32_t granted;
};

class ReceiveCreditTest : public ::testing::TestWithParam<GrantRule> {};

TEST_P(ReceiveCreditTest, GrantsWhatThereIsRoomForWhenItIsWorthwhile) {
  const GrantRule& rule = GetParam();
  ReceiveCredit credit;
  EXPECT_EQ(credit.grant(0), kCreditWindow);
  for (int32_t i = kCreditWindow; i > rule.out; --i) EXPECT_TRUE(credit.onBatch());
  EXPECT_EQ(credit.grant(rule.queued), rule.granted);
  EXPECT_EQ(credit.out(), rule.out + rule.granted);
}

INSTANTIATE_TEST_SUITE_P(Rules, ReceiveCreditTest,
                         ::testing::Values(GrantRule{"NothingWhenAllIsOut", 8, 0, 0},
                                           GrantRule{"NothingForTooLittle", 5, 0, 0},
                                           GrantRule{"HalfAWindow", 4, 0, 4},
                                           GrantRule{"TheQueueCounts", 2, 3, 0},
                                           GrantRule{"AnythingWhenTheProducerHasNone", 0, 7, 1},
                                           GrantRule{"NothingWhenTheQueueIsFull", 0, 8, 0},
                                           GrantRule{"NothingWhenTheQueueIsOverfull", 0, 20, 0},
                                           GrantRule{"AllWhenEverythingWasTaken", 0, 0, 8}),
                         [](const auto& info) { return info.param.name; });

TEST(ReceiveCreditTest, NotesABatchWithoutCredit) {
  ReceiveCredit credit;
  EXPECT_FALSE(credit.onBatch());
}

// A channel with its two counts, messages that take their time, and a task that takes batches when
// it likes: for every seed all batches arrive, and never more than a window is unread.
TEST(CreditTest, NeverStallsAndNeverExceedsTheWindow) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandom random(seed);
    SendCredit sender;
    ReceiveCredit receiver;
    std::vector<int32_t> grants_under_way{receiver.grant(0)};
    int batches_under_way = 0;
    int queued = 0;
    bool was_full = false;
    int to_send = 200;
    int taken = 0;
    for (int steps = 0; taken < 200; ++steps) {
      ASSERT_LT(steps, 100'000) << "stalled, seed " << seed;
      switch (random.below(4)) {
        case 0:
          if (!grants_under_way.empty()) {
            ASSERT_TRUE(sender.add(grants_under_way.front()));
            grants_under_way.erase(grants_under_way.begin());
          }
          break;
        case 1:
          if (to_send > 0 && sender.available() > 0) {
            sender.spend(1);
            --to_send;
            ++batches_under_way;
          }
          break;
        case 2:
          if (batches_under_way > 0) {
            --batches_under_way;
            if (++queued >= kCreditWindow) was_full = true;
            ASSERT_TRUE(receiver.onBatch());
            if (const int32_t grant = receiver.grant(queued)) grants_under_way.push_back(grant);
          }
          break;
        case 3:
          if (queued == 0) break;
          ++taken;
          // The queue's wakeup comes at half of the window, and only after it was full.
          if (--queued <= kCreditWindow / 2 && was_full) {
            was_full = false;
            if (const int32_t grant = receiver.grant(queued)) grants_under_way.push_back(grant);
          }
          break;
      }
      ASSERT_LE(queued + batches_under_way + sender.available(), kCreditWindow) << "seed " << seed;
    }
  }
}

}  // namespace

}  // namespace wiesel::runtime
