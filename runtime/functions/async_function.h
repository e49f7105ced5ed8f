#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/functions/rich_function.h"

namespace wiesel {

/// A request took longer than the time-out that was given for it.
class TimeoutException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace runtime {

/// How one attempt at a request ended.
template <class Out>
struct AsyncOutcome {
  uint64_t request = 0;
  std::vector<Out> results;
  std::exception_ptr failure;  // Null: the results count.
};

/// Brings outcomes from the threads that complete requests into the task's.
///
/// Threads: thread-safe; take() and close() belong to the task thread.
/// Flink:   MailboxExecutor, as AsyncWaitOperator uses it (1.20).
template <class Out>
class AsyncMailbox {
 public:
  /// `wake_task` is not called any more after close().
  explicit AsyncMailbox(std::function<void()> wake_task) : wake_task_(std::move(wake_task)) {}

  void post(AsyncOutcome<Out> outcome) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (is_closed_) return;
    outcomes_.push_back(std::move(outcome));
    if (!has_mail_.exchange(true, std::memory_order_release)) wake_task_();
  }

  bool hasMail() const { return has_mail_.load(std::memory_order_acquire); }

  std::vector<AsyncOutcome<Out>> take() {
    std::lock_guard<std::mutex> lock(mutex_);
    has_mail_.store(false, std::memory_order_release);
    return std::exchange(outcomes_, {});
  }

  void close() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    outcomes_.clear();
  }

 private:
  const std::function<void()> wake_task_;
  std::atomic<bool> has_mail_{false};
  std::mutex mutex_;
  std::vector<AsyncOutcome<Out>> outcomes_;  // Guarded by mutex_, as below.
  bool is_closed_ = false;
};

}  // namespace runtime

/// Where the results of one request go. Copies are the same future; its first completion counts,
/// later ones are ignored, as are those after the task's end.
///
/// Threads: thread-safe.
/// Flink:   ResultFuture (1.20).
template <class Out>
class ResultFuture {
 public:
  using Mailbox = runtime::AsyncMailbox<Out>;

  /// For the runtime.
  ResultFuture(uint64_t request, std::shared_ptr<Mailbox> mailbox)
      : shared_(std::make_shared<Shared>(request, std::move(mailbox))) {}

  /// The request gives these records, or none.
  void complete(std::vector<Out> results) const {
    finish({shared_->request, std::move(results), nullptr});
  }

  /// Fails the task, unless a retry strategy knows better.
  void completeExceptionally(std::exception_ptr failure) const {
    finish({shared_->request, {}, std::move(failure)});
  }
  template <class E>
  requires std::is_base_of_v<std::exception, E>
  void completeExceptionally(const E& failure) const {
    completeExceptionally(std::make_exception_ptr(failure));
  }

  bool isCompleted() const { return shared_->is_completed.load(std::memory_order_acquire); }
  uint64_t request() const { return shared_->request; }

 private:
  struct Shared {
    Shared(uint64_t request, std::shared_ptr<Mailbox> mailbox)
        : request(request), mailbox(std::move(mailbox)) {}
    const uint64_t request;
    const std::shared_ptr<Mailbox> mailbox;  // Of the operator and all its futures.
    std::atomic<bool> is_completed{false};
  };

  void finish(runtime::AsyncOutcome<Out> outcome) const {
    if (!shared_->is_completed.exchange(true)) shared_->mailbox->post(std::move(outcome));
  }

  std::shared_ptr<Shared> shared_;  // By all copies, whichever threads have them.
};

/// A base for functions that ask something outside for each record, without waiting for the answer.
///
/// Order:   asyncInvoke() for each record, again after a restore for those whose results had not
///          left; timeout() when a request has taken too long.
/// Threads: all methods run in the task thread and must not block; the future may be completed in
///          any thread, at once or later.
/// Errors:  what a method throws fails the task.
/// Flink:   AsyncFunction (1.20).
template <class In, class Out>
class AsyncFunction {
 public:
  using Input = In;
  using Output = Out;

  virtual ~AsyncFunction() = default;
  virtual void asyncInvoke(const In& input, ResultFuture<Out> result) = 0;

  /// May complete the future in another way than by failing.
  virtual void timeout(const In& input, ResultFuture<Out> result) {
    (void)input;
    result.completeExceptionally(TimeoutException("Async function call has timed out."));
  }
};

/// Flink: RichAsyncFunction (1.20).
template <class In, class Out>
class RichAsyncFunction : public RichFunction, public AsyncFunction<In, Out> {};

}  // namespace wiesel
