#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace wiesel::runtime {

/// What other threads want done in a task's thread, in the order of posting.
///
/// Threads: thread-safe; only the task thread takes.
/// Flink:   TaskMailbox (1.20).
class Mailbox {
 public:
  using Mail = std::function<void()>;

  void post(Mail mail) {
    std::lock_guard<std::mutex> lock(mutex_);
    mails_.push_back(std::move(mail));
    has_mail_.store(true, std::memory_order_release);
  }

  /// True when something may be there. Cheap.
  bool hasMail() const { return has_mail_.load(std::memory_order_acquire); }

  std::deque<Mail> takeAll() {
    std::lock_guard<std::mutex> lock(mutex_);
    has_mail_.store(false, std::memory_order_release);
    return std::exchange(mails_, {});
  }

 private:
  std::mutex mutex_;
  std::deque<Mail> mails_;  // Guarded by mutex_.
  std::atomic<bool> has_mail_{false};
};

}  // namespace wiesel::runtime
