#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "common/event_loop.h"
#include "common/mutex.h"

namespace wiesel::runtime {

/// How many milliseconds the next message is on its way.
using LinkDelay = std::function<int64_t()>;

/// One direction of an in-memory link: closures, each the delivery of one message, that run on the
/// receiver's loop in the order in which they came, each after its own delay at the earliest.
///
/// Borrows: `loop`, which must outlive the pipe.
/// Threads: thread-safe.
class InMemoryPipe : public std::enable_shared_from_this<InMemoryPipe> {
 public:
  InMemoryPipe(EventLoop& loop, LinkDelay delay);

  /// Dropped after end().
  void push(std::function<void()> deliver);

  /// Begins to deliver what was and will be pushed.
  void start();

  /// Nothing comes after this, but `deliver_end` (unless it is empty). `drop_queued` loses what has
  /// not been delivered. Only the first call counts.
  void end(bool drop_queued, std::function<void()> deliver_end);

 private:
  void schedule();
  void deliverNext();

  EventLoop& loop_;
  const LinkDelay delay_;

  Mutex mutex_;
  std::deque<std::function<void()>> queue_ ABSL_GUARDED_BY(mutex_);
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace wiesel::runtime
