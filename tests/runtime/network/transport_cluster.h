#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/simulation/simulated_world.h"
#include "runtime/network/data_transport.h"
#include "runtime/network/simulated_network.h"

namespace wiesel::runtime {

/// A few workers with a data transport each, so that one test speaks of the real data plane and of
/// the simulated one.
class TransportCluster {
 public:
  virtual ~TransportCluster() = default;

  /// Returns the index of the new worker.
  virtual int addWorker() = 0;
  virtual DataTransport& transport(int worker) = 0;
  /// Ends a worker without a farewell.
  virtual void kill(int worker) = 0;

  /// Lets the cluster work until `condition` holds, which is then true; false when that takes too
  /// long.
  virtual bool waitFor(const std::function<bool()>& condition) = 0;
};

std::unique_ptr<TransportCluster> newGrpcCluster();
std::unique_ptr<TransportCluster> newSimulatedCluster(uint64_t seed);

/// What became of a channel at its consumer.
class LostReport {
 public:
  std::function<void(std::string)> callback();
  int count() const;
  std::string why() const;

 private:
  mutable std::mutex mutex_;
  int count_ = 0;
  std::string why_;
};

/// Both ends of one channel, used by the test's thread.
class TestChannel {
 public:
  explicit TestChannel(TransportCluster& cluster) : cluster_(cluster) {}

  void publish(int producer, const ChannelAddress& address);
  void subscribe(int consumer, int producer, const ChannelAddress& address);
  template <class T>
  void subscribeAs(int consumer, int producer, const ChannelAddress& address) {
    subscribe(consumer, producer, address, TypedBatchType<T>::instance());
  }

  /// Pushes a batch of one number.
  void send(int64_t number);
  void send(StreamElement element) { sent_->push(std::move(element)); }

  /// Takes elements until there are `count` more; as text, see elementText().
  std::vector<std::string> take(size_t count);
  /// Takes what is there.
  std::vector<std::string> takeAvailable();

  ChannelQueue& producerQueue() { return *sent_; }
  ChannelQueue& consumerQueue() { return *received_; }
  bool waitUntilLost();
  const LostReport& lost() const { return *lost_; }

 private:
  void subscribe(int consumer, int producer, const ChannelAddress& address, const BatchType& type);

  TransportCluster& cluster_;
  std::shared_ptr<ChannelQueue> sent_ = std::make_shared<ChannelQueue>();
  std::shared_ptr<ChannelQueue> received_ = std::make_shared<ChannelQueue>();
  std::shared_ptr<LostReport> lost_ = std::make_shared<LostReport>();
};

std::unique_ptr<BatchBase> batchOf(std::vector<int64_t> numbers);

/// "1,2,3" for a batch of numbers, "watermark 5", "idle", "active", "barrier 3 at 4", "end of
/// data", "end" for others.
std::string elementText(const StreamElement& element);

}  // namespace wiesel::runtime
