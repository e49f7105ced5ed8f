#include "runtime/graph/edge_channels.h"

#include "common/check.h"

namespace wiesel::runtime {
namespace {

// The products below stay far within 64 bits: parallelism is at most kMaxMaxParallelism.
int32_t ceilOf(int64_t dividend, int64_t divisor) {
  return static_cast<int32_t>((dividend + divisor - 1) / divisor);
}

int32_t firstConsumerOf(int32_t producers, int32_t consumers, int32_t producer) {
  return ceilOf(int64_t{producer} * consumers, producers);
}

}  // namespace

ConsumerChannels channelsOfConsumer(proto::Distribution distribution, int32_t producers,
                                    int32_t consumers, int32_t consumer) {
  WIESEL_CHECK(producers >= 1 && 0 <= consumer && consumer < consumers);
  if (distribution == proto::ALL_TO_ALL) return {0, producers - 1, consumer};
  if (producers >= consumers) {
    const int64_t wide = consumer;
    return {static_cast<int32_t>(wide * producers / consumers),
            static_cast<int32_t>((wide + 1) * producers / consumers - 1), 0};
  }
  const auto producer = static_cast<int32_t>(int64_t{consumer} * producers / consumers);
  // Not counted from the producer's first consumer: Flink takes the remainder.
  const int32_t channels = subpartitionsOfProducer(distribution, producers, consumers, producer);
  return {producer, producer, consumer % channels};
}

int32_t subpartitionsOfProducer(proto::Distribution distribution, int32_t producers,
                                int32_t consumers, int32_t producer) {
  WIESEL_CHECK(consumers >= 1 && 0 <= producer && producer < producers);
  if (distribution == proto::ALL_TO_ALL) return consumers;
  if (producers >= consumers) return 1;
  return firstConsumerOf(producers, consumers, producer + 1) -
         firstConsumerOf(producers, consumers, producer);
}

}  // namespace wiesel::runtime
