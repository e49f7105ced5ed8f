#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runtime/network/batch.h"
#include "runtime/network/channel_queue.h"

namespace wiesel::runtime {

/// Names one channel of one attempt: a subpartition of an output of a producer subtask.
struct ChannelAddress {
  std::string vertex_id;  // Of the producer.
  int32_t output_index = 0;
  int32_t subtask = 0;
  int32_t attempt = 0;
  int32_t subpartition = 0;

  auto operator<=>(const ChannelAddress&) const = default;
};

/// Moves elements between the channel queues of different workers: what one worker has of the data
/// plane. Channels between tasks of one worker do not come here.
///
/// Flow control: at most ChannelQueue::kMaxQueuedBatches batches of a channel are on their way or
/// wait in the consumer's queue (credits), so a slow consumer fills the producer's queue and
/// nothing else.
///
/// Order:   per channel first in, first out. publish() and subscribe() may come in either order.
/// Threads: thread-safe; queues are filled and emptied from the transport's threads.
class DataTransport {
 public:
  virtual ~DataTransport() = default;

  /// Where other workers find this one, "HOST:PORT"; empty when there are no others.
  virtual std::string address() const = 0;

  /// Offers the channel: takes elements out of `queue` as the consumer's credit allows.
  virtual void publish(const ChannelAddress& channel, std::shared_ptr<ChannelQueue> queue) = 0;

  /// Fills `queue` with the elements of a channel that the worker at `producer_address` publishes.
  /// `on_lost` is called at most once, from any thread, when no more can come although the end of
  /// the partition has not: the connection broke or bytes could not be read. The reason is one
  /// line.
  virtual void subscribe(const ChannelAddress& channel, const std::string& producer_address,
                         std::shared_ptr<ChannelQueue> queue, const BatchType& type,
                         std::function<void(std::string why)> on_lost) = 0;

  /// Forgets all channels that `attempt` and older attempts published or subscribed to.
  virtual void releaseAttempt(int32_t attempt) = 0;
};

}  // namespace wiesel::runtime
