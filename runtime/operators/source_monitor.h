#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "runtime/functions/source_function.h"

namespace wiesel::runtime {

/// Thrown in the thread of a source function that goes on after its task has ended.
struct SourceCancelled {};

/// Stands between the thread of a source function and its task: what the function puts out waits
/// here in order, and the checkpoint lock keeps a record and the function's note of it together.
///
/// Who waits for the lock in the task's name takes elements meanwhile, since the function may hold
/// it while it waits for room.
///
/// Threads: thread-safe; one function thread and one task thread.
template <class T>
class SourceMonitor final : public CheckpointLock {
 public:
  struct Element {
    enum class Kind : uint8_t { kRecord, kWatermark, kIdle };
    Kind kind = Kind::kRecord;
    std::optional<T> value;               // Of a record.
    std::optional<int64_t> timestamp_ms;  // A record's, or the watermark.
  };

  /// `wake` is called when there is something to take.
  explicit SourceMonitor(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Waits for room. Throws SourceCancelled after close().
  void put(Element element) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || elements_.size() < kCapacity; });
    if (closed_) throw SourceCancelled{};
    elements_.push_back(std::move(element));
    const bool was_empty = elements_.size() == 1;
    lock.unlock();
    changed_.notify_all();
    if (was_empty) wake_();
  }

  /// The function has returned, or thrown `error`.
  void end(std::exception_ptr error) {
    {
      std::lock_guard lock(mutex_);
      ended_ = true;
      error_ = std::move(error);
    }
    changed_.notify_all();
    wake_();
  }

  /// The next element, if one waits.
  std::optional<Element> take() {
    std::optional<Element> element;
    {
      std::lock_guard lock(mutex_);
      if (elements_.empty()) return std::nullopt;
      element = std::move(elements_.front());
      elements_.pop_front();
    }
    changed_.notify_all();
    return element;
  }

  /// True when nothing waits and nothing will come. Throws what the function threw.
  bool isAtEnd() {
    std::lock_guard lock(mutex_);
    if (!elements_.empty() || !ended_) return false;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return true;
  }

  /// Takes the checkpoint lock for the task; `drain` is called, without it, to take elements.
  template <class Drain>
  void lockForTask(Drain drain) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (!elements_.empty()) {
        lock.unlock();
        drain();
        lock.lock();
      } else if (depth_ == 0) {
        owner_ = std::this_thread::get_id();
        depth_ = 1;
        return;
      } else {
        changed_.wait(lock, [this] { return depth_ == 0 || !elements_.empty(); });
      }
    }
  }

  void lock() override {
    std::unique_lock lock(mutex_);
    const std::thread::id me = std::this_thread::get_id();
    changed_.wait(lock, [&] { return depth_ == 0 || owner_ == me; });
    owner_ = me;
    ++depth_;
  }

  void unlock() override {
    {
      std::lock_guard lock(mutex_);
      --depth_;
    }
    changed_.notify_all();
  }

  /// Whoever waits in put(), now or later, is told that the task has ended.
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
      elements_.clear();
    }
    changed_.notify_all();
  }

 private:
  static constexpr size_t kCapacity = 1024;

  const std::function<void()> wake_;
  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  std::deque<Element> elements_;
  std::exception_ptr error_;
  bool ended_ = false;
  bool closed_ = false;
  std::thread::id owner_;  // Of the checkpoint lock, when depth_ > 0.
  int depth_ = 0;
};

}  // namespace wiesel::runtime
