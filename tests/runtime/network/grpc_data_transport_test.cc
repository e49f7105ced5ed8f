#include "runtime/network/grpc_data_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/log.h"
#include "common/random.h"
#include "runtime/network/data_frame.h"
#include "runtime/network/grpc_data_connection.h"
#include "runtime/rpc/grpc_channel.h"
#include "tests/runtime/network/tcp_proxy.h"
#include "tests/runtime/network/transport_cluster.h"

namespace wiesel::runtime {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const BatchType& numbers() { return TypedBatchType<int64_t>::instance(); }

std::unique_ptr<GrpcDataTransport> newTransport(const std::string& scope = "job") {
  auto transport = GrpcDataTransport::start({.scope = scope});
  EXPECT_TRUE(transport.ok()) << transport.status();
  return *std::move(transport);
}

/// The consumer of a channel for tests with threads: waits for elements. Outlives the transports,
/// which may call it until they end.
class Receiver {
 public:
  Receiver() {
    queue_->setConsumerWakeup([this] { notify(); });
  }
  ~Receiver() { queue_->setConsumerWakeup(nullptr); }

  std::shared_ptr<ChannelQueue> queue() { return queue_; }
  std::function<void(std::string)> onLost() {
    return [this](std::string why) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
        lost_ = std::move(why);
      }
      notify();
    };
  }

  std::string take() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      if (const auto element = queue_->pop()) return elementText(*element);
      if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !queue_->empty(); })) {
        return "nothing";
      }
    }
  }

  std::string waitUntilLost() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !lost_.empty(); });
    return lost_;
  }

 private:
  void notify() {
    std::lock_guard<std::mutex> lock(mutex_);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string lost_;
  std::shared_ptr<ChannelQueue> queue_ = std::make_shared<ChannelQueue>();
};

/// A peer that says what it likes.
class RawPeer final : public DataConnectionHandler, public std::enable_shared_from_this<RawPeer> {
 public:
  void connect(const std::string& address, AliveCount& alive) {
    openGrpcDataConnection(*newGrpcChannel(address), address, shared_from_this(),
                           std::make_shared<MessagePool>(), alive);
  }

  void onOpened(DataConnection& connection) override { connection_ = &connection; }
  void onMessage(std::string_view) override {}
  void onWritten() override {}
  void onClosed(const std::string& why) override {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = why;
    changed_.notify_all();
  }

  void say(std::string_view bytes) {
    DataOutput message;
    message.writeRaw(bytes);
    connection_->write(std::move(message));
  }
  void leave() { connection_->close("left"); }
  std::string waitUntilClosed() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(60), [&] { return !closed_.empty(); });
    return closed_;
  }

 private:
  DataConnection* connection_ = nullptr;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string closed_;
};

TEST(GrpcDataTransportTest, AnAddressInUseIsAnErrorThatNamesTheSetting) {
  const auto first = newTransport();
  const auto second = GrpcDataTransport::start({.port = portOf(first->address())});
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("taskmanager.data.port"));
}

TEST(GrpcDataTransportTest, ABrokenConnectionIsReportedAndLaterSubscriptionsConnectAnew) {
  Receiver receiver;
  Receiver again;
  Receiver anew;
  const auto producer = newTransport();
  const auto consumer = newTransport();
  TcpProxy proxy(producer->address());
  const ChannelAddress first{"v", 0, 0, 0, 0};
  const ChannelAddress second{"v", 0, 0, 1, 0};
  const auto sent = std::make_shared<ChannelQueue>();
  producer->publish(first, sent);
  consumer->subscribe(first, proxy.address(), receiver.queue(), numbers(), receiver.onLost());
  sent->push(StreamElement::ofBatch(batchOf({1})));
  EXPECT_EQ(receiver.take(), "1");

  proxy.cut();
  EXPECT_THAT(receiver.waitUntilLost(), HasSubstr("the connection broke"));

  TcpProxy repaired(producer->address());
  consumer->subscribe(first, repaired.address(), again.queue(), numbers(), again.onLost());
  consumer->subscribe(second, repaired.address(), anew.queue(), numbers(), anew.onLost());
  EXPECT_THAT(again.waitUntilLost(), HasSubstr("given to a consumer before"));
  const auto sent_anew = std::make_shared<ChannelQueue>();
  producer->publish(second, sent_anew);
  sent_anew->push(StreamElement::watermark(3));
  EXPECT_EQ(anew.take(), "watermark 3");
}

TEST(GrpcDataTransportTest, WorkersOfAnotherJobAreTurnedAway) {
  Receiver receiver;
  const auto producer = newTransport("job 1");
  const auto consumer = newTransport("job 2");
  consumer->subscribe({"v", 0, 0, 0, 0}, producer->address(), receiver.queue(), numbers(),
                      receiver.onLost());
  EXPECT_THAT(receiver.waitUntilLost(), HasSubstr("belongs to 'job 2', this worker to 'job 1'"));
}

TEST(GrpcDataTransportTest, OnLostMaySubscribeAgain) {
  Receiver receiver;
  auto producer = newTransport();
  const auto replacement = newTransport();
  const auto consumer = newTransport();
  const auto sent = std::make_shared<ChannelQueue>();
  replacement->publish({"v", 0, 0, 1, 0}, sent);
  sent->push(StreamElement::watermark(4));
  consumer->subscribe({"v", 0, 0, 0, 0}, producer->address(), std::make_shared<ChannelQueue>(),
                      numbers(), [&](const std::string&) {
                        consumer->releaseAttempt(0);
                        consumer->subscribe({"v", 0, 0, 1, 0}, replacement->address(),
                                            receiver.queue(), numbers(), receiver.onLost());
                      });
  producer.reset();
  EXPECT_EQ(receiver.take(), "watermark 4");
}

TEST(GrpcDataTransportTest, GarbageClosesItsOwnConnectionAlone) {
  Receiver receiver;
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  SCOPED_TRACE("--gtest_random_seed=" + std::to_string(seed));
  SeededRandom random(seed);
  setMinLogSeverity(LogSeverity::kERROR);
  const auto producer = newTransport();
  const auto consumer = newTransport();
  const auto sent = std::make_shared<ChannelQueue>();
  producer->publish({"v", 0, 0, 0, 0}, sent);
  consumer->subscribe({"v", 0, 0, 0, 0}, producer->address(), receiver.queue(), numbers(),
                      receiver.onLost());
  AliveCount alive;
  for (int round = 0; round < 50; ++round) {
    const auto peer = std::make_shared<RawPeer>();
    peer->connect(producer->address(), alive);
    std::string noise(1 + random.below(3000), ' ');
    for (char& byte : noise) byte = static_cast<char>(random.next());
    noise.front() = static_cast<char>(8 + random.below(248));
    peer->say(noise);
    EXPECT_THAT(peer->waitUntilClosed(), HasSubstr("no type of frame"));

    // And bytes that are not even HTTP/2.
    const int socket = connectTo(portOf(producer->address()));
    EXPECT_GT(::send(socket, noise.data(), noise.size(), MSG_NOSIGNAL), 0);
    sent->push(StreamElement::watermark(round));
    EXPECT_EQ(receiver.take(), "watermark " + std::to_string(round));
    ::close(socket);
  }
  alive.waitForNone();
  setMinLogSeverity(LogSeverity::kINFO);
}

TEST(GrpcDataTransportTest, APeerOfAnotherVersionIsTold) {
  const auto producer = newTransport();
  AliveCount alive;
  const auto peer = std::make_shared<RawPeer>();
  peer->connect(producer->address(), alive);
  DataOutput hello;
  writeFrame(HelloFrame{kDataPlaneVersion + 1, "job"}, hello);
  peer->say(hello.view());
  EXPECT_THAT(peer->waitUntilClosed(), HasSubstr("run one version of Wiesel on all machines"));
  alive.waitForNone();
}

TEST(GrpcDataTransportTest, APeerThatDoesNotReadHoldsBackItsOwnChannelsAlone) {
  Receiver receiver;
  const auto producer = newTransport();
  const auto consumer = newTransport();
  AliveCount alive;
  // Takes the channel and never gives credit again, nor says anything.
  const auto peer = std::make_shared<RawPeer>();
  peer->connect(producer->address(), alive);
  DataOutput message;
  writeFrame(HelloFrame{kDataPlaneVersion, "job"}, message);
  writeFrame(SubscribeFrame{0, 1, {"v", 0, 0, 0, 0}}, message);
  peer->say(message.view());
  const auto stuck = std::make_shared<ChannelQueue>();
  producer->publish({"v", 0, 0, 0, 0}, stuck);
  for (int i = 0; i < 20; ++i) {
    stuck->push(StreamElement::ofBatch(batchOf(std::vector<int64_t>(10'000, i))));
  }

  const auto sent = std::make_shared<ChannelQueue>();
  producer->publish({"v", 0, 1, 0, 0}, sent);
  consumer->subscribe({"v", 0, 1, 0, 0}, producer->address(), receiver.queue(), numbers(),
                      receiver.onLost());
  for (int i = 0; i < 100; ++i) sent->push(StreamElement::ofBatch(batchOf({i})));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(receiver.take(), std::to_string(i));
  EXPECT_TRUE(stuck->full());
  peer->leave();
  alive.waitForNone();
}

// Tasks call the queues while they hold locks of their own, and their wakeups take the same locks.
TEST(GrpcDataTransportTest, WakeupsMayTakeLocksUnderWhichQueuesAreUsed) {
  constexpr int kBatches = 5000;
  const auto producer = newTransport();
  const auto consumer = newTransport();
  std::mutex producer_lock;
  std::condition_variable producer_room;
  std::mutex consumer_lock;
  std::condition_variable consumer_data;
  const auto sent = std::make_shared<ChannelQueue>();
  const auto received = std::make_shared<ChannelQueue>();
  sent->setProducerWakeup([&] {
    std::lock_guard<std::mutex> lock(producer_lock);
    producer_room.notify_all();
  });
  received->setConsumerWakeup([&] {
    std::lock_guard<std::mutex> lock(consumer_lock);
    consumer_data.notify_all();
  });
  producer->publish({"v", 0, 0, 0, 0}, sent);
  consumer->subscribe({"v", 0, 0, 0, 0}, producer->address(), received, numbers(),
                      [](const std::string& why) { ADD_FAILURE() << why; });

  std::thread producing([&] {
    for (int i = 0; i < kBatches; ++i) {
      std::unique_lock<std::mutex> lock(producer_lock);
      producer_room.wait(lock, [&] { return !sent->full(); });
      sent->push(StreamElement::ofBatch(batchOf({i})));
    }
  });
  int taken = 0;
  while (taken < kBatches) {
    std::unique_lock<std::mutex> lock(consumer_lock);
    consumer_data.wait(lock, [&] { return !received->empty(); });
    while (const auto element = received->pop()) {
      EXPECT_EQ(elementText(*element), std::to_string(taken));
      ++taken;
    }
  }
  producing.join();
  sent->setProducerWakeup(nullptr);
}

TEST(GrpcDataTransportTest, EndsInTheMiddleOfTraffic) {
  setMinLogSeverity(LogSeverity::kERROR);
  constexpr int kWorkers = 3;
  constexpr int kChannelsEach = 4;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::unique_ptr<GrpcDataTransport>> workers;
    for (int i = 0; i < kWorkers; ++i) workers.push_back(newTransport());
    std::atomic<bool> stop{false};
    std::atomic<int> taken{0};
    std::vector<std::thread> tasks;
    for (int from = 0; from < kWorkers; ++from) {
      for (int to = 0; to < kWorkers; ++to) {
        if (from == to) continue;
        std::vector<std::shared_ptr<ChannelQueue>> sent;
        std::vector<std::shared_ptr<ChannelQueue>> received;
        for (int channel = 0; channel < kChannelsEach; ++channel) {
          sent.push_back(std::make_shared<ChannelQueue>());
          received.push_back(std::make_shared<ChannelQueue>());
          const ChannelAddress address{"v", from, to, 0, channel};
          workers[from]->publish(address, sent.back());
          workers[to]->subscribe(address, workers[from]->address(), received.back(), numbers(),
                                 [](const std::string&) {});
        }
        tasks.emplace_back([&stop, sent] {
          while (!stop) {
            for (const auto& queue : sent) {
              if (!queue->full()) queue->push(StreamElement::ofBatch(batchOf({1, 2, 3})));
            }
            std::this_thread::yield();
          }
        });
        tasks.emplace_back([&stop, &taken, received] {
          while (!stop) {
            for (const auto& queue : received) {
              if (queue->pop().has_value()) ++taken;
            }
            std::this_thread::yield();
          }
        });
      }
    }
    while (taken < 500) std::this_thread::yield();
    if (round % 2 == 0) workers[1]->releaseAttempt(0);
    for (auto& worker : workers) worker.reset();  // With tasks that still push and pop.
    stop = true;
    for (std::thread& task : tasks) task.join();
    EXPECT_GE(taken, 500);
  }
  setMinLogSeverity(LogSeverity::kINFO);
}

}  // namespace

}  // namespace wiesel::runtime
