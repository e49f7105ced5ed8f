#include "runtime/network/channel_queue.h"

#include <utility>

namespace wiesel::runtime {

void ChannelQueue::setConsumerWakeup(std::function<void()> wakeup) {
  std::lock_guard<std::mutex> lock(mutex_);
  consumer_wakeup_ = std::move(wakeup);
}

void ChannelQueue::setProducerWakeup(std::function<void()> wakeup) {
  std::lock_guard<std::mutex> lock(mutex_);
  producer_wakeup_ = std::move(wakeup);
}

void ChannelQueue::push(StreamElement element) {
  std::function<void()> wakeup;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
    if (elements_.empty()) wakeup = consumer_wakeup_;
    if (element.kind == StreamElement::Kind::kBatch && ++queued_batches_ >= kMaxQueuedBatches) {
      full_.store(true, std::memory_order_release);
    }
    elements_.push_back(std::move(element));
  }
  if (wakeup) wakeup();
}

std::optional<StreamElement> ChannelQueue::pop() {
  std::optional<StreamElement> element;
  std::function<void()> wakeup;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (elements_.empty()) return std::nullopt;
    element = std::move(elements_.front());
    elements_.pop_front();
    if (element->kind == StreamElement::Kind::kBatch) {
      --queued_batches_;
      if (full() && queued_batches_ <= kMaxQueuedBatches / 2) {
        full_.store(false, std::memory_order_release);
        wakeup = producer_wakeup_;
      }
    }
  }
  if (wakeup) wakeup();
  return element;
}

bool ChannelQueue::empty() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return elements_.empty();
}

size_t ChannelQueue::queuedBatches() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return queued_batches_;
}

void ChannelQueue::close() {
  std::deque<StreamElement> dropped;
  std::function<void()> wakeup;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    dropped.swap(elements_);
    queued_batches_ = 0;
    full_.store(false, std::memory_order_release);
    wakeup = producer_wakeup_;
  }
  if (wakeup) wakeup();
}

}  // namespace wiesel::runtime
