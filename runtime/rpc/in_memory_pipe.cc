#include "runtime/rpc/in_memory_pipe.h"

#include <cstddef>
#include <utility>

namespace wiesel::runtime {

InMemoryPipe::InMemoryPipe(EventLoop& loop, LinkDelay delay)
    : loop_(loop), delay_(std::move(delay)) {}

void InMemoryPipe::push(std::function<void()> deliver) {
  {
    MutexLock lock(mutex_);
    if (ended_) return;
    queue_.push_back(std::move(deliver));
    if (!started_) return;
  }
  schedule();
}

void InMemoryPipe::start() {
  size_t waiting = 0;
  {
    MutexLock lock(mutex_);
    started_ = true;
    waiting = queue_.size();
  }
  for (; waiting > 0; --waiting) schedule();
}

void InMemoryPipe::end(bool drop_queued, std::function<void()> deliver_end) {
  std::deque<std::function<void()>> dropped;  // Destroyed without the lock.
  {
    MutexLock lock(mutex_);
    if (drop_queued && !ended_) dropped.swap(queue_);
    if (ended_ || !deliver_end) {
      ended_ = true;
      return;
    }
    ended_ = true;
    queue_.push_back(std::move(deliver_end));
    if (!started_) return;
  }
  schedule();
}

// One event a delivery. It takes whatever is first by then, so that delays never change the order.
void InMemoryPipe::schedule() {
  auto deliver = [pipe = shared_from_this()] { pipe->deliverNext(); };
  const int64_t delay_ms = delay_ ? delay_() : 0;
  delay_ms > 0 ? static_cast<void>(loop_.postAfter(delay_ms, std::move(deliver)))
               : loop_.post(std::move(deliver));
}

void InMemoryPipe::deliverNext() {
  std::function<void()> deliver;
  {
    MutexLock lock(mutex_);
    if (queue_.empty()) return;
    deliver = std::move(queue_.front());
    queue_.pop_front();
  }
  deliver();
}

}  // namespace wiesel::runtime
