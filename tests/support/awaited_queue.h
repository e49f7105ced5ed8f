#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "common/mutex.h"

namespace wiesel::testing {

/// What other threads report to a test, in order; the test waits for it.
template <class T>
class AwaitedQueue {
 public:
  void push(T value) {
    MutexLock lock(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_all();  // With the lock: who pops may destroy the queue.
  }

  /// The next value; nullopt when none comes within `patience`.
  std::optional<T> pop(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (values_.empty()) {
      if (changed_.wait_until(mutex_, deadline) == std::cv_status::timeout && values_.empty()) {
        return std::nullopt;
      }
    }
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::deque<T> values_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace wiesel::testing
