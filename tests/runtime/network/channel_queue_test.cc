#include "runtime/network/channel_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

constexpr size_t kBound = ChannelQueue::kMaxQueuedBatches;

class ChannelQueueTest : public ::testing::Test {
 protected:
  ChannelQueueTest() {
    queue_.setConsumerWakeup([this] { ++consumer_wakeups_; });
    queue_.setProducerWakeup([this] { ++producer_wakeups_; });
  }

  void pushBatches(size_t count) {
    for (size_t i = 0; i < count; ++i) queue_.push(StreamElement::ofBatch(batchOf({1})));
  }

  ChannelQueue queue_;
  int consumer_wakeups_ = 0;
  int producer_wakeups_ = 0;
};

TEST_F(ChannelQueueTest, WakesTheConsumerWhenItWasEmpty) {
  queue_.push(StreamElement::watermark(1));
  queue_.push(StreamElement::watermark(2));
  EXPECT_EQ(consumer_wakeups_, 1);
  EXPECT_EQ(elementText(*queue_.pop()), "watermark 1");
  queue_.push(StreamElement::watermark(3));
  EXPECT_EQ(consumer_wakeups_, 1);
  queue_.pop();
  queue_.pop();
  EXPECT_FALSE(queue_.pop().has_value());
  queue_.push(StreamElement::watermark(4));
  EXPECT_EQ(consumer_wakeups_, 2);
}

TEST_F(ChannelQueueTest, IsFullFromTheBoundUntilHalfOfItIsTaken) {
  pushBatches(kBound - 1);
  EXPECT_FALSE(queue_.full());
  queue_.push(StreamElement::watermark(1));
  EXPECT_FALSE(queue_.full());  // Control elements do not count.
  pushBatches(1);
  EXPECT_TRUE(queue_.full());
  EXPECT_EQ(queue_.queuedBatches(), kBound);
  while (queue_.queuedBatches() > kBound / 2 + 1) queue_.pop();
  EXPECT_TRUE(queue_.full());
  EXPECT_EQ(producer_wakeups_, 0);
  while (queue_.queuedBatches() > kBound / 2) queue_.pop();
  EXPECT_FALSE(queue_.full());
  EXPECT_EQ(producer_wakeups_, 1);
}

TEST_F(ChannelQueueTest, AClosedQueueTakesEverythingAndKeepsNothing) {
  pushBatches(kBound + 3);
  EXPECT_TRUE(queue_.full());
  queue_.close();
  EXPECT_EQ(producer_wakeups_, 1);
  EXPECT_FALSE(queue_.full());
  pushBatches(kBound + 3);
  EXPECT_FALSE(queue_.full());
  EXPECT_FALSE(queue_.pop().has_value());
}

TEST_F(ChannelQueueTest, WakeupsMayAskTheQueue) {
  size_t seen = 0;
  queue_.setProducerWakeup([&] { seen = queue_.queuedBatches(); });
  pushBatches(kBound);
  while (queue_.full()) queue_.pop();
  EXPECT_EQ(seen, kBound / 2);
}

}  // namespace

}  // namespace wiesel::runtime
