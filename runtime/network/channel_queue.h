#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "runtime/network/stream_element.h"

namespace wiesel::runtime {

/// The elements that wait in one channel between one producer and one consumer subtask. Between
/// tasks of one process a batch passes by pointer. Between processes there are two queues, one at
/// each end, and the data plane moves elements from the first to the second.
///
/// push() never refuses: a producer looks at full() before it begins new work, so what stands here
/// beyond the bound is at most what one element of its input gave rise to.
///
/// Threads: thread-safe for one producer and one consumer thread. A wakeup is called without the
///          lock held, from the thread of the other side; it must not push or pop.
class ChannelQueue {
 public:
  /// The bound: full() from this many batches on, until half of them are taken.
  static constexpr size_t kMaxQueuedBatches = 8;

  ChannelQueue() = default;
  ChannelQueue(const ChannelQueue&) = delete;
  ChannelQueue& operator=(const ChannelQueue&) = delete;

  /// Called when an element arrives in an empty queue. Set before the consumer first looks.
  void setConsumerWakeup(std::function<void()> wakeup);
  /// Called when a queue that was full has room again, and when it is closed.
  void setProducerWakeup(std::function<void()> wakeup);

  void push(StreamElement element);
  std::optional<StreamElement> pop();

  bool full() const { return full_.load(std::memory_order_acquire); }
  bool empty() const;
  /// How many batches wait; control elements do not count. May be called from a wakeup.
  size_t queuedBatches() const;

  /// Drops what waits and everything pushed later; full() is false from then on. Idempotent.
  void close();

 private:
  mutable std::mutex mutex_;
  std::deque<StreamElement> elements_;  // Guarded by mutex_, as all below.
  size_t queued_batches_ = 0;
  bool closed_ = false;
  std::function<void()> consumer_wakeup_;
  std::function<void()> producer_wakeup_;
  std::atomic<bool> full_{false};  // Written under mutex_.
};

}  // namespace wiesel::runtime
