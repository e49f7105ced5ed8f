#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/network/channel_queue.h"

namespace wiesel::runtime {

/// How many batches of a channel may be on their way or wait at the consumer, seen together.
inline constexpr int32_t kCreditWindow = static_cast<int32_t>(ChannelQueue::kMaxQueuedBatches);

/// The producer's side of a channel's flow control: the batches that it may still send. Control
/// elements need no credit.
///
/// Threads: not thread-safe.
/// Flink:   CreditBasedSequenceNumberingViewReader (1.20); a credit there is a buffer of 32 KiB.
class SendCredit {
 public:
  /// Takes credits from the consumer. False, and nothing taken, when the number is negative or
  /// goes beyond the window: the peer does not follow the rules.
  bool add(int32_t batches);

  int32_t available() const { return available_; }

  /// Requires batches <= available().
  void spend(int32_t batches);

 private:
  int32_t available_ = 0;
};

/// The consumer's side: gives the producer as many credits as there is room in the queue, not one
/// by one, and never leaves a producer without credit while there is room and nobody who would look
/// again: either credits are out, and the next batch leads to a grant(), or the queue is full, and
/// its wakeup does.
///
/// Threads: not thread-safe.
/// Promise: credits out plus batches queued never exceed kCreditWindow.
/// Flink:   RemoteInputChannel (1.20).
class ReceiveCredit {
 public:
  /// Takes note of a batch. False when it had no credit: the peer does not follow the rules.
  bool onBatch();

  /// Says how many credits to send now, and counts them as out. `queued_batches` is what waits in
  /// the consumer's queue, all batches noted in onBatch() and not taken by the task included.
  int32_t grant(size_t queued_batches);

  int32_t out() const { return out_; }

 private:
  // Fewer are not worth a message while the producer has some left.
  static constexpr int32_t kSmallestGrant = kCreditWindow / 2;

  int32_t out_ = 0;
};

}  // namespace wiesel::runtime
