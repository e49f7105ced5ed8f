#include "runtime/network/simulated_network.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/simulation/simulated_world.h"
#include "runtime/network/simulated_data_transport.h"
#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

constexpr int kWorkers = 3;
constexpr int kBatches = 40;

struct Channel {
  int from = 0;
  int to = 0;
  std::shared_ptr<ChannelQueue> sent = std::make_shared<ChannelQueue>();
  std::shared_ptr<ChannelQueue> received = std::make_shared<ChannelQueue>();
  LostReport lost;
  int pushed = 0;
  int taken = 0;
  bool ended = false;
};

/// A few workers that exchange numbers, while the seed kills one or cuts connections.
class Storm {
 public:
  explicit Storm(uint64_t seed) : world_(seed), network_(world_) {
    for (int i = 0; i < kWorkers; ++i) {
      processes_.push_back(world_.newProcess("worker" + std::to_string(i)));
      transports_.push_back(
          std::make_unique<SimulatedDataTransport>(network_, processes_.back(), "job"));
    }
    for (int from = 0; from < kWorkers; ++from) {
      for (int to = 0; to < kWorkers; ++to) {
        if (from != to) connect(from, to);
      }
    }
  }

  void run() {
    const uint64_t trouble_at = world_.random().below(400);
    for (uint64_t step = 0; step < 100'000 && !isOver(); ++step) {
      if (step == trouble_at) makeTrouble();
      const auto& channel = channels_[world_.random().below(channels_.size())];
      push(*channel);
      take(*channel);
      world_.runFor(static_cast<int64_t>(world_.random().below(3)));
    }
  }

  /// Every channel between living workers has ended whole, or was reported lost once.
  void check() const {
    for (const auto& channel : channels_) {
      if (!isAlive(channel->to)) continue;
      const std::string text = std::to_string(channel->from) + " to " + std::to_string(channel->to);
      EXPECT_EQ(channel->lost.count(), channel->ended ? 0 : 1) << text;
      if (!channel->ended) continue;
      EXPECT_EQ(channel->taken, kBatches) << text;
    }
  }

  int numLost() const {
    int lost = 0;
    for (const auto& channel : channels_) lost += channel->lost.count();
    return lost;
  }

  uint64_t traceHash() const { return world_.traceHash(); }

 private:
  void connect(int from, int to) {
    auto channel = std::make_unique<Channel>();
    channel->from = from;
    channel->to = to;
    const ChannelAddress address{"v", 0, from, 0, to};
    transports_[from]->publish(address, channel->sent);
    transports_[to]->subscribe(address, transports_[from]->address(), channel->received,
                               TypedBatchType<int64_t>::instance(), channel->lost.callback());
    channels_.push_back(std::move(channel));
  }

  bool isAlive(int worker) const { return world_.isAlive(processes_[worker]); }

  bool isOver() const {
    for (const auto& channel : channels_) {
      if (!channel->ended && channel->lost.count() == 0 && isAlive(channel->to)) return false;
    }
    return true;
  }

  void makeTrouble() {
    const int victim = static_cast<int>(world_.random().below(kWorkers));
    switch (world_.random().below(4)) {
      case 0:
        return;  // For once.
      case 1:
        network_.disconnect(processes_[victim], processes_[(victim + 1) % kWorkers]);
        return;
      case 2:
        world_.kill(processes_[victim]);
        network_.kill(processes_[victim]);
        transports_[victim].reset();
        return;
      default:
        world_.kill(processes_[victim]);  // Its memory stays until the end, as with a real kill.
        network_.kill(processes_[victim]);
    }
  }

  void push(Channel& channel) {
    if (!isAlive(channel.from) || channel.sent->full() || channel.pushed > kBatches) return;
    if (channel.pushed++ == kBatches) {
      channel.sent->push(StreamElement::endOfPartition());
    } else {
      channel.sent->push(StreamElement::ofBatch(batchOf({channel.pushed - 1})));
    }
  }

  void take(Channel& channel) {
    if (!isAlive(channel.to)) return;
    EXPECT_LE(channel.received->queuedBatches(), ChannelQueue::kMaxQueuedBatches);
    const auto element = channel.received->pop();
    if (!element.has_value()) return;
    if (element->kind == StreamElement::Kind::kEndOfPartition) {
      channel.ended = true;
    } else {
      EXPECT_EQ(elementText(*element), std::to_string(channel.taken++));
    }
  }

  // The channels are called until the transports end, the network until the world does.
  std::vector<std::unique_ptr<Channel>> channels_;
  SimulatedWorld world_;
  SimulatedNetwork network_;
  std::vector<SimulatedWorld::ProcessId> processes_;
  std::vector<std::unique_ptr<SimulatedDataTransport>> transports_;
};

TEST(SimulatedNetworkTest, EveryChannelEndsWholeOrIsReportedLost) {
  constexpr uint64_t kSeeds = 200;
  uint64_t storms_with_losses = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed);
    storm.run();
    storm.check();
    if (HasFailure()) return;
    if (storm.numLost() > 0) ++storms_with_losses;
  }
  EXPECT_GT(storms_with_losses, kSeeds / 4);
  EXPECT_LT(storms_with_losses, kSeeds);
}

TEST(SimulatedNetworkTest, TheSameSeedGivesTheSameRun) {
  std::vector<uint64_t> hashes;
  for (int run = 0; run < 2; ++run) {
    Storm storm(7);
    storm.run();
    hashes.push_back(storm.traceHash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace

}  // namespace wiesel::runtime
