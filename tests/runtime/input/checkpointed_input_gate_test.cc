#include "runtime/input/checkpointed_input_gate.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock.h"
#include "runtime/network/channel_queue.h"

namespace wiesel::runtime {
namespace {

class CheckpointedInputGateTest : public ::testing::Test {
 protected:
  void open(bool exactly_once) {
    gate_.emplace(channels_, CheckpointedInputGate::Settings{.exactly_once = exactly_once}, clock_);
  }

  void push(int channel, StreamElement element) {
    channels_[static_cast<size_t>(channel)]->push(std::move(element));
  }

  /// Everything that the gate hands on now: "0: 7" is watermark 7 of channel 0.
  std::vector<std::string> drain() {
    std::vector<std::string> seen;
    bool progress = true;
    while (progress) {
      const auto event = gate_->poll(checkpoints_, &progress);
      if (!event) continue;
      seen.push_back(std::to_string(event->channel) + ": " + std::to_string(event->element.value));
    }
    return seen;
  }

  ManualClock clock_{1'000};
  std::vector<std::shared_ptr<ChannelQueue>> channels_{std::make_shared<ChannelQueue>(),
                                                       std::make_shared<ChannelQueue>()};
  std::optional<CheckpointedInputGate> gate_;
  std::vector<CheckpointedInputGate::Trigger> triggers_;
  std::vector<int64_t> aborts_;
  CheckpointedInputGate::Checkpoints checkpoints_{
      [this](const CheckpointedInputGate::Trigger& trigger) { triggers_.push_back(trigger); },
      [this](int64_t checkpoint_id, const std::string&) { aborts_.push_back(checkpoint_id); }};
};

TEST_F(CheckpointedInputGateTest, ExactlyOnceHoldsBackWhatIsBehindABarrier) {
  open(true);
  push(0, StreamElement::barrier(1, 900));
  push(0, StreamElement::watermark(7));
  push(1, StreamElement::watermark(8));
  EXPECT_EQ(drain(), std::vector<std::string>{"1: 8"});
  EXPECT_TRUE(gate_->isBlocked(0));
  push(1, StreamElement::barrier(1, 900));
  EXPECT_EQ(drain(), std::vector<std::string>{"0: 7"});
  EXPECT_FALSE(gate_->isBlocked(0));
}

TEST_F(CheckpointedInputGateTest, AtLeastOnceHoldsBackNothing) {
  open(false);
  push(0, StreamElement::barrier(1, 900));
  push(0, StreamElement::watermark(7));
  EXPECT_EQ(drain(), std::vector<std::string>{"0: 7"});
  EXPECT_TRUE(triggers_.empty());
  push(1, StreamElement::barrier(1, 900));
  drain();
  ASSERT_EQ(triggers_.size(), 1u);
  EXPECT_EQ(triggers_[0].timestamp_ms, 900);
}

TEST_F(CheckpointedInputGateTest, MeasuresStartDelayAndAlignment) {
  for (const bool exactly_once : {true, false}) {
    open(exactly_once);
    triggers_.clear();
    clock_.setMs(1'000);
    push(0, StreamElement::barrier(1, 900));
    drain();
    clock_.advanceMs(250);
    push(1, StreamElement::barrier(1, 900));
    drain();
    ASSERT_EQ(triggers_.size(), 1u);
    EXPECT_EQ(triggers_[0].start_delay_ms, 100);
    EXPECT_EQ(triggers_[0].alignment_ms, 250);
  }
}

TEST_F(CheckpointedInputGateTest, AnotherMachinesClockGivesNoNegativeDelay) {
  open(true);
  push(0, StreamElement::barrier(1, 5'000));
  push(1, StreamElement::barrier(1, 5'000));
  drain();
  ASSERT_EQ(triggers_.size(), 1u);
  EXPECT_EQ(triggers_[0].start_delay_ms, 0);
}

TEST_F(CheckpointedInputGateTest, EachOfSeveralCheckpointsHasItsOwnTimes) {
  open(false);
  push(0, StreamElement::barrier(1, 1'000));
  drain();
  clock_.setMs(1'010);
  push(0, StreamElement::barrier(2, 1'005));
  drain();
  clock_.setMs(1'030);
  push(1, StreamElement::barrier(1, 1'000));
  push(1, StreamElement::barrier(2, 1'005));
  drain();
  ASSERT_EQ(triggers_.size(), 2u);
  EXPECT_EQ(triggers_[0].timestamp_ms, 1'000);
  EXPECT_EQ(triggers_[0].alignment_ms, 30);
  EXPECT_EQ(triggers_[1].timestamp_ms, 1'005);
  EXPECT_EQ(triggers_[1].start_delay_ms, 5);
  EXPECT_EQ(triggers_[1].alignment_ms, 20);
}

TEST_F(CheckpointedInputGateTest, ACancellationResumesAndAborts) {
  open(true);
  push(0, StreamElement::barrier(1, 900));
  push(0, StreamElement::watermark(7));
  drain();
  push(1, StreamElement::cancellation(1));
  EXPECT_EQ(drain(), std::vector<std::string>{"0: 7"});
  EXPECT_EQ(aborts_, std::vector<int64_t>{1});
  EXPECT_TRUE(triggers_.empty());
}

}  // namespace
}  // namespace wiesel::runtime
