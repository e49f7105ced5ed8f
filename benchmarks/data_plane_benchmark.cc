// How fast batches move from one worker to another over the loopback: bytes of serialized records a
// second, through both ends of the data plane and a queue at each.

#include <benchmark/benchmark.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/serialization/serializer.h"
#include "runtime/network/grpc_data_transport.h"

namespace wiesel::runtime {

namespace {

/// Bytes that cost nothing but a copy to write and to read: what is left is the transport.
class BytesBatch final : public BatchBase {
 public:
  explicit BytesBatch(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t size() const override { return 1; }
  std::unique_ptr<BatchBase> copy() const override { return std::make_unique<BytesBatch>(bytes_); }
  void serialize(DataOutput& output) const override { output.writeSizedBytes(bytes_); }

 private:
  std::string bytes_;
};

class BytesBatchType final : public BatchType {
 public:
  static const BatchType& instance() {
    static const BytesBatchType type;
    return type;
  }
  std::unique_ptr<BatchBase> deserialize(DataInput& input) const override {
    return std::make_unique<BytesBatch>(std::string(input.readSizedBytes()));
  }
};

using Pair = std::pair<std::string, int64_t>;

std::unique_ptr<BatchBase> bytesOf(size_t bytes) {
  return std::make_unique<BytesBatch>(std::string(bytes, 'x'));
}

std::unique_ptr<BatchBase> longsOf(size_t bytes) {
  auto batch = std::make_unique<Batch<int64_t>>();
  batch->values.assign(bytes / sizeof(int64_t), 42);
  return batch;
}

std::unique_ptr<BatchBase> pairsOf(size_t bytes) {
  auto batch = std::make_unique<Batch<Pair>>();
  const Pair pair("word of a text", 1);
  batch->values.assign(bytes / (pair.first.size() + 1 + sizeof(int64_t)), pair);
  return batch;
}

/// Sleeps until a queue's wakeup.
class Gate {
 public:
  std::function<void()> opener() {
    return [this] {
      std::lock_guard<std::mutex> lock(mutex_);
      changed_.notify_all();
    };
  }
  template <class Condition>
  void waitFor(Condition condition) {
    if (condition()) return;
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, condition);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

std::unique_ptr<GrpcDataTransport> newTransport() {
  auto transport = GrpcDataTransport::start({});
  WIESEL_CHECK(transport.ok()) << transport.status();
  return *std::move(transport);
}

/// One iteration moves kBatches batches of range(0) bytes over each of range(1) channels.
void moveBatches(benchmark::State& state, std::unique_ptr<BatchBase> batch, const BatchType& type) {
  constexpr int kBatches = 2000;
  const int channels = static_cast<int>(state.range(1));
  const auto producer = newTransport();
  const auto consumer = newTransport();
  Gate room;
  Gate data;
  std::vector<std::shared_ptr<ChannelQueue>> sent;
  std::vector<std::shared_ptr<ChannelQueue>> received;
  for (int i = 0; i < channels; ++i) {
    sent.push_back(std::make_shared<ChannelQueue>());
    received.push_back(std::make_shared<ChannelQueue>());
    sent.back()->setProducerWakeup(room.opener());
    received.back()->setConsumerWakeup(data.opener());
    const ChannelAddress address{"v", 0, 0, 0, i};
    producer->publish(address, sent.back());
    consumer->subscribe(address, producer->address(), received.back(), type,
                        [](const std::string& why) { WIESEL_CHECK(false) << why; });
  }
  for (auto unused : state) {
    std::thread task([&] {
      for (int i = 0; i < kBatches; ++i) {
        for (const auto& queue : sent) {
          room.waitFor([&] { return !queue->full(); });
          queue->push(StreamElement::ofBatch(batch->copy()));
        }
      }
    });
    for (int taken = 0; taken < kBatches * channels;) {
      bool idle = true;
      for (const auto& queue : received) {
        if (!queue->pop().has_value()) continue;
        ++taken;
        idle = false;
      }
      if (!idle) continue;
      data.waitFor([&] {
        for (const auto& queue : received) {
          if (!queue->empty()) return true;
        }
        return false;
      });
    }
    task.join();
  }
  for (const auto& queue : sent) queue->setProducerWakeup(nullptr);
  for (const auto& queue : received) queue->setConsumerWakeup(nullptr);
  DataOutput serialized;
  batch->serialize(serialized);
  state.SetBytesProcessed(state.iterations() * kBatches * channels *
                          static_cast<int64_t>(serialized.size()));
}

void bytes(benchmark::State& state) {
  moveBatches(state, bytesOf(state.range(0)), BytesBatchType::instance());
}
void longs(benchmark::State& state) {
  moveBatches(state, longsOf(state.range(0)), TypedBatchType<int64_t>::instance());
}
void pairs(benchmark::State& state) {
  moveBatches(state, pairsOf(state.range(0)), TypedBatchType<Pair>::instance());
}

#define WIESEL_SIZES                                             \
  ArgNames({"bytes", "channels"})                                \
      ->ArgsProduct({{4 * 1024, 32 * 1024, 256 * 1024}, {1, 4}}) \
      ->MeasureProcessCPUTime()                                  \
      ->UseRealTime()                                            \
      ->Unit(benchmark::kMillisecond)

BENCHMARK(bytes)->WIESEL_SIZES;
BENCHMARK(longs)->WIESEL_SIZES;
BENCHMARK(pairs)->WIESEL_SIZES;

}  // namespace

}  // namespace wiesel::runtime
