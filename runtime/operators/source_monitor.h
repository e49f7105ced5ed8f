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
/// The task never waits for the lock: it asks, is woken when the function has let go, and comes
/// before the function then. Meanwhile it takes elements, since the function may hold the lock
/// while it waits for room.
///
/// Threads: thread-safe; any threads of the function, one of the task.
/// Flink:   SourceStreamTask, StreamTaskActionExecutor.SynchronizedStreamTaskActionExecutor (1.20).
template <class T>
class SourceMonitor final : public CheckpointLock {
 public:
  struct Element {
    enum class Kind : uint8_t { kRecord, kWatermark, kIdle };
    Kind kind = Kind::kRecord;
    std::optional<T> value;               // Of a record.
    std::optional<int64_t> timestamp_ms;  // A record's, or the watermark.
  };

  /// `wake` is called when there is something to take, or the lock to be had.
  explicit SourceMonitor(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Waits for room, and for the lock if another has it. Throws SourceCancelled after close().
  void put(Element element) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      return closed_ || (elements_.size() < kCapacity && mayLock(std::this_thread::get_id()));
    });
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

  /// True when the function's thread has nothing more to do.
  bool hasEnded() {
    std::lock_guard lock(mutex_);
    return ended_;
  }

  /// Takes the checkpoint lock for the task, unless the function holds it: then the task is woken
  /// when it can be had, and the function does not get it again before the task has had it. What
  /// the task calls meanwhile may lock() again.
  bool tryLockForTask() {
    std::lock_guard lock(mutex_);
    task_asks_ = true;
    task_ = std::this_thread::get_id();
    if (ended_) depth_ = 0;  // A function that has ended needs no lock.
    return depth_ == 0;
  }

  /// The task lets go, or does not ask any more.
  void unlockForTask() {
    {
      std::lock_guard lock(mutex_);
      task_asks_ = false;
    }
    changed_.notify_all();
  }

  bool isEmpty() {
    std::lock_guard lock(mutex_);
    return elements_.empty();
  }

  void lock() override {
    std::unique_lock lock(mutex_);
    const std::thread::id me = std::this_thread::get_id();
    changed_.wait(lock, [&] { return mayLock(me); });
    owner_ = me;
    ++depth_;
  }

  void unlock() override {
    std::unique_lock lock(mutex_);
    --depth_;
    const bool is_asked_for = depth_ == 0 && task_asks_;
    lock.unlock();
    changed_.notify_all();
    if (is_asked_for) wake_();
  }

  /// Whoever waits in put(), now or later, is told that the task has ended, which lets go of the
  /// lock.
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
      task_asks_ = false;
      elements_.clear();
    }
    changed_.notify_all();
  }

 private:
  static constexpr size_t kCapacity = 1024;

  bool mayLock(std::thread::id thread) const {
    return depth_ > 0 ? owner_ == thread : !task_asks_ || task_ == thread;
  }

  const std::function<void()> wake_;
  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  std::deque<Element> elements_;
  std::exception_ptr error_;
  bool ended_ = false;
  bool closed_ = false;
  // The checkpoint lock: a thread of the function has it while depth_ > 0; else the task, if it
  // asks for it.
  std::thread::id owner_;
  int depth_ = 0;  // How often the owner has locked it.
  bool task_asks_ = false;
  std::thread::id task_;  // When task_asks_.
};

}  // namespace wiesel::runtime
