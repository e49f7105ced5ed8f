#include "tests/runtime/network/transport_cluster.h"

#include <chrono>
#include <condition_variable>
#include <sstream>
#include <utility>

#include "common/check.h"
#include "runtime/network/grpc_data_transport.h"
#include "runtime/network/simulated_data_transport.h"

namespace wiesel::runtime {

namespace {

class GrpcCluster final : public TransportCluster {
 public:
  int addWorker() override {
    auto transport = GrpcDataTransport::start({.scope = "job"});
    WIESEL_CHECK(transport.ok()) << transport.status();
    workers_.push_back(*std::move(transport));
    return static_cast<int>(workers_.size()) - 1;
  }

  DataTransport& transport(int worker) override { return *workers_.at(worker); }

  void kill(int worker) override { workers_.at(worker).reset(); }

  bool waitFor(const std::function<bool()>& condition) override {
    // Elements come from other threads, and not every step has a wakeup; so look again and again.
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock<std::mutex> lock(mutex);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      never.wait_for(lock, std::chrono::microseconds(200));
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<GrpcDataTransport>> workers_;
};

class SimulatedCluster final : public TransportCluster {
 public:
  explicit SimulatedCluster(uint64_t seed) : world_(seed), network_(world_) {}

  int addWorker() override {
    const int worker = static_cast<int>(workers_.size());
    const SimulatedWorld::ProcessId process = world_.newProcess("worker" + std::to_string(worker));
    workers_.push_back(
        {process, std::make_unique<SimulatedDataTransport>(network_, process, "job")});
    return worker;
  }

  DataTransport& transport(int worker) override { return *workers_.at(worker).transport; }

  void kill(int worker) override {
    world_.kill(workers_.at(worker).process);
    network_.kill(workers_.at(worker).process);
    workers_.at(worker).transport.reset();
  }

  bool waitFor(const std::function<bool()>& condition) override {
    return world_.runUntil(condition, 3'600'000);
  }

 private:
  struct Worker {
    SimulatedWorld::ProcessId process;
    std::unique_ptr<SimulatedDataTransport> transport;
  };

  SimulatedWorld world_;
  SimulatedNetwork network_;
  std::vector<Worker> workers_;
};

}  // namespace

std::unique_ptr<TransportCluster> newGrpcCluster() { return std::make_unique<GrpcCluster>(); }

std::unique_ptr<TransportCluster> newSimulatedCluster(uint64_t seed) {
  return std::make_unique<SimulatedCluster>(seed);
}

std::function<void(std::string)> LostReport::callback() {
  return [this](std::string why) {
    std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
    why_ = std::move(why);
  };
}

int LostReport::count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}

std::string LostReport::why() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return why_;
}

void TestChannel::publish(int producer, const ChannelAddress& address) {
  cluster_.transport(producer).publish(address, sent_);
}

void TestChannel::subscribe(int consumer, int producer, const ChannelAddress& address) {
  subscribe(consumer, producer, address, TypedBatchType<int64_t>::instance());
}

void TestChannel::subscribe(int consumer, int producer, const ChannelAddress& address,
                            const BatchType& type) {
  cluster_.transport(consumer).subscribe(
      address, cluster_.transport(producer).address(), received_, type,
      [lost = lost_](std::string why) { lost->callback()(std::move(why)); });
}

void TestChannel::send(int64_t number) { send(StreamElement::ofBatch(batchOf({number}))); }

std::vector<std::string> TestChannel::take(size_t count) {
  std::vector<std::string> taken;
  cluster_.waitFor([&] {
    while (taken.size() < count) {
      const std::optional<StreamElement> element = received_->pop();
      if (!element.has_value()) return false;
      taken.push_back(elementText(*element));
    }
    return true;
  });
  return taken;
}

std::vector<std::string> TestChannel::takeAvailable() {
  std::vector<std::string> taken;
  while (const std::optional<StreamElement> element = received_->pop()) {
    taken.push_back(elementText(*element));
  }
  return taken;
}

bool TestChannel::waitUntilLost() {
  return cluster_.waitFor([&] { return lost_->count() > 0; });
}

std::unique_ptr<BatchBase> batchOf(std::vector<int64_t> numbers) {
  auto batch = std::make_unique<Batch<int64_t>>();
  batch->values = std::move(numbers);
  return batch;
}

std::string elementText(const StreamElement& element) {
  std::ostringstream text;
  switch (element.kind) {
    case StreamElement::Kind::kBatch: {
      const auto* batch = dynamic_cast<const Batch<int64_t>*>(element.batch.get());
      if (batch == nullptr) return "a batch of something else";
      for (size_t i = 0; i < batch->values.size(); ++i) {
        text << (i == 0 ? "" : ",") << batch->values[i];
        if (batch->has_timestamps) text << "@" << batch->timestamps_ms[i];
      }
      break;
    }
    case StreamElement::Kind::kWatermark:
      text << "watermark " << element.value;
      break;
    case StreamElement::Kind::kWatermarkStatus:
      text << (element.value == 1 ? "idle" : "active");
      break;
    case StreamElement::Kind::kBarrier:
      text << "barrier " << element.value << " at " << element.timestamp_ms;
      break;
    case StreamElement::Kind::kCancellation:
      text << "cancellation of " << element.value;
      break;
    case StreamElement::Kind::kEndOfData:
      text << "end of data";
      break;
    case StreamElement::Kind::kEndOfPartition:
      text << "end";
      break;
  }
  return text.str();
}

}  // namespace wiesel::runtime
