#include "runtime/network/data_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

/// A record whose serializer fails when the record says so.
struct Moody {
  int32_t mood = 0;
};

}  // namespace wiesel::runtime

namespace wiesel {

template <>
struct Serializer<runtime::Moody> {
  static constexpr int kFixedLength = 4;
  static constexpr int32_t kThrowsWriting = 1;
  static constexpr int32_t kThrowsReading = 2;
  static constexpr int32_t kFailsReading = 3;
  static void write(const runtime::Moody& value, DataOutput& output) {
    if (value.mood == kThrowsWriting) throw std::runtime_error("no mood to write");
    output.writeInt(value.mood);
  }
  static void read(runtime::Moody& target, DataInput& input) {
    target.mood = input.readInt();
    if (target.mood == kThrowsReading) throw std::runtime_error("no mood to read");
    if (target.mood == kFailsReading) input.fail("bad mood");
  }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::int32(); }
};

}  // namespace wiesel

namespace wiesel::runtime {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kWindow = ChannelQueue::kMaxQueuedBatches;

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<TransportCluster>()> make;
};

class DataTransportTest : public ::testing::TestWithParam<Implementation> {
 protected:
  ChannelAddress address(int subtask = 0, int attempt = 0) const {
    return {"source", 0, subtask, attempt, 0};
  }

  /// A channel from `producer_` to `consumer_`.
  std::unique_ptr<TestChannel> connectedChannel(const ChannelAddress& at) {
    auto channel = std::make_unique<TestChannel>(*cluster_);
    channel->publish(producer_, at);
    channel->subscribe(consumer_, producer_, at);
    return channel;
  }

  void sendMoody(TestChannel& channel, int32_t mood) {
    auto batch = std::make_unique<Batch<Moody>>();
    batch->values.push_back({mood});
    channel.send(StreamElement::ofBatch(std::move(batch)));
  }

  std::unique_ptr<TransportCluster> cluster_ = GetParam().make();
  const int producer_ = cluster_->addWorker();
  const int consumer_ = cluster_->addWorker();
};

TEST_P(DataTransportTest, KeepsTheOrderOfElementsOfAllKinds) {
  const auto channel = connectedChannel(address());
  auto timed = std::make_unique<Batch<int64_t>>();
  timed->values = {1, 2};
  timed->timestamps_ms = {10, 20};
  timed->has_timestamps = true;

  channel->send(StreamElement::ofBatch(std::move(timed)));
  channel->send(StreamElement::watermark(-7));
  channel->send(StreamElement::watermarkStatus(true));
  channel->send(StreamElement::watermarkStatus(false));
  channel->send(StreamElement::barrier(3, 1'700'000'000'000));
  channel->send(StreamElement::ofBatch(batchOf({3, 4, 5})));
  channel->send(StreamElement::endOfData());
  channel->send(StreamElement::endOfPartition());

  EXPECT_THAT(channel->take(8),
              ElementsAre("1@10,2@20", "watermark -7", "idle", "active",
                          "barrier 3 at 1700000000000", "3,4,5", "end of data", "end"));
  EXPECT_EQ(channel->lost().count(), 0);
}

TEST_P(DataTransportTest, ASubscriptionWaitsForItsChannel) {
  TestChannel channel(*cluster_);
  channel.subscribe(consumer_, producer_, address());
  const auto witness = connectedChannel(address(1));
  witness->send(1);
  EXPECT_THAT(witness->take(1), ElementsAre("1"));  // So the subscription has arrived, too.

  channel.send(5);
  channel.publish(producer_, address());
  channel.send(6);
  EXPECT_THAT(channel.take(2), ElementsAre("5", "6"));
}

TEST_P(DataTransportTest, MovesManyBatchesThroughASmallWindow) {
  constexpr int kBatches = 3000;
  const auto channel = connectedChannel(address());
  int sent = 0;
  int received = 0;
  const bool done = cluster_->waitFor([&] {
    // As a task does: begins nothing new while its output is full.
    while (sent < kBatches && !channel->producerQueue().full()) channel->send(sent++);
    EXPECT_LE(channel->consumerQueue().queuedBatches(), kWindow);
    for (const std::string& text : channel->takeAvailable()) {
      EXPECT_EQ(text, std::to_string(received));
      ++received;
    }
    return received == kBatches;
  });
  EXPECT_TRUE(done) << received << " of " << sent;
  EXPECT_EQ(channel->lost().count(), 0);
}

TEST_P(DataTransportTest, ASlowConsumerHoldsBackItsProducerAlone) {
  const auto slow = connectedChannel(address(0));
  const auto quick = connectedChannel(address(1));
  for (size_t i = 0; i < 3 * kWindow; ++i) slow->send(static_cast<int64_t>(i));
  slow->send(StreamElement::watermark(1));

  // One batch is in the transport's hand, waiting for credit.
  EXPECT_TRUE(cluster_->waitFor([&] {
    return slow->consumerQueue().queuedBatches() == kWindow &&
           slow->producerQueue().queuedBatches() == 2 * kWindow - 1;
  }));
  EXPECT_TRUE(slow->producerQueue().full());
  for (int i = 0; i < 100; ++i) quick->send(i);
  EXPECT_EQ(quick->take(100).back(), "99");
  EXPECT_EQ(slow->consumerQueue().queuedBatches(), kWindow);

  EXPECT_EQ(slow->take(3 * kWindow + 1).back(), "watermark 1");
}

TEST_P(DataTransportTest, ControlElementsNeedNoCreditButKeepTheirPlace) {
  const auto channel = connectedChannel(address());
  for (size_t i = 0; i < kWindow; ++i) channel->send(0);
  channel->send(StreamElement::watermark(1));
  channel->send(StreamElement::barrier(2, 0));
  const auto witness = connectedChannel(address(1));
  EXPECT_TRUE(
      cluster_->waitFor([&] { return channel->consumerQueue().queuedBatches() == kWindow; }));
  channel->send(9);
  channel->send(StreamElement::barrier(3, 0));
  EXPECT_TRUE(cluster_->waitFor([&] { return channel->producerQueue().queuedBatches() == 0; }));
  witness->send(1);
  EXPECT_THAT(witness->take(1), ElementsAre("1"));

  // Everything up to the batch without credit is here, although nothing was taken before.
  std::vector<std::string> taken = channel->take(kWindow + 4);
  EXPECT_EQ(std::vector(taken.end() - 4, taken.end()),
            (std::vector<std::string>{"watermark 1", "barrier 2 at 0", "9", "barrier 3 at 0"}));
}

TEST_P(DataTransportTest, ServesManyChannelsBothWays) {
  constexpr int kChannels = 200;
  constexpr int kBatches = 20;
  std::vector<std::unique_ptr<TestChannel>> channels;
  for (int i = 0; i < kChannels; ++i) {
    auto channel = std::make_unique<TestChannel>(*cluster_);
    const int from = i % 2 == 0 ? producer_ : consumer_;
    const int to = i % 2 == 0 ? consumer_ : producer_;
    if (i % 3 == 0) channel->subscribe(to, from, address(i));
    channel->publish(from, address(i));
    if (i % 3 != 0) channel->subscribe(to, from, address(i));
    channels.push_back(std::move(channel));
  }
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int i = 0; i < kChannels; ++i) channels[i]->send(1000 * i + batch);
  }
  for (const auto& channel : channels) channel->send(StreamElement::endOfPartition());

  for (int i = 0; i < kChannels; ++i) {
    const std::vector<std::string> taken = channels[i]->take(kBatches + 1);
    ASSERT_EQ(taken.size(), kBatches + 1u);
    for (int batch = 0; batch < kBatches; ++batch) {
      EXPECT_EQ(taken[batch], std::to_string(1000 * i + batch));
    }
    EXPECT_EQ(taken.back(), "end");
  }
}

TEST_P(DataTransportTest, MovesBatchesMuchLongerThanAMessage) {
  const auto channel = connectedChannel(address());
  std::vector<int64_t> numbers(100'000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
  for (int i = 0; i < 3; ++i) channel->send(StreamElement::ofBatch(batchOf(numbers)));
  channel->send(7);

  const std::string expected = elementText(StreamElement::ofBatch(batchOf(numbers)));
  const std::vector<std::string> taken = channel->take(4);
  ASSERT_EQ(taken.size(), 4u);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(taken[i] == expected) << "batch " << i;
  EXPECT_EQ(taken[3], "7");
}

TEST_P(DataTransportTest, ADeadProducerIsReportedForEachChannelThatHasNotEnded) {
  const auto ended = connectedChannel(address(0));
  const auto open = connectedChannel(address(1));
  TestChannel waiting(*cluster_);
  waiting.subscribe(consumer_, producer_, address(2));
  ended->send(1);
  ended->send(StreamElement::endOfPartition());
  open->send(2);
  EXPECT_THAT(ended->take(2), ElementsAre("1", "end"));
  EXPECT_THAT(open->take(1), ElementsAre("2"));

  cluster_->kill(producer_);
  EXPECT_TRUE(open->waitUntilLost());
  EXPECT_TRUE(waiting.waitUntilLost());
  EXPECT_THAT(open->lost().why(),
              HasSubstr("from subtask 1 (attempt 0) of vertex source, output 0, subpartition 0"));
  EXPECT_THAT(open->lost().why(), HasSubstr("the connection broke"));
  EXPECT_EQ(open->lost().count(), 1);
  EXPECT_EQ(waiting.lost().count(), 1);
  EXPECT_EQ(ended->lost().count(), 0);
}

TEST_P(DataTransportTest, ADeadConsumerLeavesOthersAlone) {
  const int other = cluster_->addWorker();
  const auto channel = connectedChannel(address(0));
  TestChannel survivor(*cluster_);
  survivor.publish(producer_, address(1));
  survivor.subscribe(other, producer_, address(1));
  channel->send(1);
  EXPECT_THAT(channel->take(1), ElementsAre("1"));

  cluster_->kill(consumer_);
  for (int i = 0; i < 50; ++i) {
    channel->send(i);
    survivor.send(i);
  }
  EXPECT_EQ(survivor.take(50).back(), "49");
}

TEST_P(DataTransportTest, AnAddressWithoutAWorkerIsReported) {
  cluster_->kill(producer_);
  const int stranger = cluster_->addWorker();
  const std::string gone = cluster_->transport(stranger).address();
  cluster_->kill(stranger);
  for (const std::string& nowhere : {gone, std::string("nonsense")}) {
    LostReport lost;
    cluster_->transport(consumer_).subscribe(address(), nowhere, std::make_shared<ChannelQueue>(),
                                             TypedBatchType<int64_t>::instance(), lost.callback());
    EXPECT_TRUE(cluster_->waitFor([&] { return lost.count() == 1; })) << nowhere;
    EXPECT_THAT(lost.why(), HasSubstr(nowhere));
  }
}

TEST_P(DataTransportTest, AfterALossTheNextAttemptConnectsAgain) {
  const auto first = connectedChannel(address(0, 0));
  first->send(1);
  EXPECT_THAT(first->take(1), ElementsAre("1"));
  cluster_->kill(producer_);
  EXPECT_TRUE(first->waitUntilLost());
  cluster_->transport(consumer_).releaseAttempt(0);

  const int replacement = cluster_->addWorker();
  TestChannel second(*cluster_);
  second.subscribe(consumer_, replacement, address(0, 1));
  second.publish(replacement, address(0, 1));
  second.send(2);
  EXPECT_THAT(second.take(1), ElementsAre("2"));
  EXPECT_EQ(first->lost().count(), 1);
}

TEST_P(DataTransportTest, ReleasingAtTheConsumerStopsTheFlowSilently) {
  const auto old = connectedChannel(address(0, 1));
  const auto current = connectedChannel(address(0, 2));
  old->send(1);
  EXPECT_THAT(old->take(1), ElementsAre("1"));
  cluster_->transport(consumer_).releaseAttempt(1);
  current->send(2);
  EXPECT_THAT(current->take(1), ElementsAre("2"));  // So the producer knows of the release.

  for (size_t i = 0; i < 3 * kWindow; ++i) old->send(5);
  for (int i = 0; i < 100; ++i) current->send(i);
  EXPECT_EQ(current->take(100).back(), "99");
  EXPECT_THAT(old->takeAvailable(), IsEmpty());
  EXPECT_EQ(old->lost().count(), 0);
}

TEST_P(DataTransportTest, ReleasingAtTheProducerIsReportedToTheConsumer) {
  const auto taken = connectedChannel(address(0, 1));
  const auto current = connectedChannel(address(0, 2));
  TestChannel waiting(*cluster_);
  waiting.subscribe(consumer_, producer_, address(1, 1));
  taken->send(1);
  EXPECT_THAT(taken->take(1), ElementsAre("1"));
  cluster_->transport(producer_).releaseAttempt(1);
  TestChannel late(*cluster_);
  late.publish(producer_, address(2, 1));
  late.subscribe(consumer_, producer_, address(2, 1));

  for (TestChannel* channel : {taken.get(), &waiting, &late}) {
    EXPECT_TRUE(channel->waitUntilLost());
    EXPECT_THAT(channel->lost().why(), HasSubstr("released attempt 1"));
    EXPECT_EQ(channel->lost().count(), 1);
  }
  current->send(4);
  EXPECT_THAT(current->take(1), ElementsAre("4"));
}

TEST_P(DataTransportTest, ASecondConsumerIsTurnedAway) {
  const auto channel = connectedChannel(address());
  channel->send(1);
  EXPECT_THAT(channel->take(1), ElementsAre("1"));
  TestChannel second(*cluster_);
  second.subscribe(cluster_->addWorker(), producer_, address());
  EXPECT_TRUE(second.waitUntilLost());
  EXPECT_THAT(second.lost().why(), HasSubstr("given to a consumer before"));
  channel->send(2);
  EXPECT_THAT(channel->take(1), ElementsAre("2"));
}

TEST_P(DataTransportTest, WhatCannotBeReadIsReportedForItsChannelAlone) {
  const auto good = connectedChannel(address(0));
  const std::vector<std::pair<int32_t, std::string>> moods = {
      {Serializer<Moody>::kThrowsWriting, "no mood to write"},
      {Serializer<Moody>::kThrowsReading, "no mood to read"},
      {Serializer<Moody>::kFailsReading, "bad mood"},
  };
  int subtask = 1;
  for (const auto& [mood, complaint] : moods) {
    TestChannel channel(*cluster_);
    channel.publish(producer_, address(subtask));
    channel.subscribeAs<Moody>(consumer_, producer_, address(subtask++));
    sendMoody(channel, 0);
    sendMoody(channel, mood);
    sendMoody(channel, 0);
    EXPECT_TRUE(channel.waitUntilLost());
    EXPECT_THAT(channel.lost().why(), HasSubstr(complaint));
    EXPECT_THAT(channel.lost().why(), HasSubstr("from subtask"));
    EXPECT_EQ(channel.takeAvailable().size(), 1u);
    good->send(subtask);
    EXPECT_THAT(good->take(1), ElementsAre(std::to_string(subtask)));
    EXPECT_EQ(channel.lost().count(), 1);
  }
}

TEST_P(DataTransportTest, ADifferentTypeAtTheOtherEndIsReported) {
  TestChannel channel(*cluster_);
  channel.publish(producer_, address());
  channel.subscribeAs<int32_t>(consumer_, producer_, address());
  channel.send(1);
  EXPECT_TRUE(channel.waitUntilLost());
  EXPECT_THAT(channel.lost().why(), HasSubstr("4 bytes were left over"));
}

std::vector<Implementation> implementations() {
  std::vector<Implementation> all = {{"Grpc", newGrpcCluster}};
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    all.push_back(
        {"SimulatedSeed" + std::to_string(seed), [seed] { return newSimulatedCluster(seed); }});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, DataTransportTest, ::testing::ValuesIn(implementations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace

}  // namespace wiesel::runtime
