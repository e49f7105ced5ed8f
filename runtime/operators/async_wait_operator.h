#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/functions/async_function.h"
#include "runtime/functions/async_retry_strategy.h"
#include "runtime/operators/async_element_queue.h"
#include "runtime/operators/with_function.h"

namespace wiesel::runtime {

template <class Out>
struct AsyncSettings {
  AsyncOutputMode mode = AsyncOutputMode::kOrdered;
  int64_t timeout_ms = 0;  // 0: none.
  size_t capacity = 100;
  std::optional<AsyncRetryStrategy<Out>> retry;
};

/// Makes a request for each record and puts its results out when they are there, in the task's
/// thread. While as many requests as the capacity allows are in flight it keeps what it is given
/// and is blocked; a checkpoint holds what is in flight and what is kept.
///
/// Flink: AsyncWaitOperator (1.20).
template <class In, class Out, class F>
class AsyncWaitOperator final : public FunctionOperator<In, Out, F> {
  using Base = FunctionOperator<In, Out, F>;

 public:
  AsyncWaitOperator(F function, AsyncSettings<Out> settings)
      : Base(std::move(function)),
        settings_(std::move(settings)),
        queue_(settings_.mode, settings_.capacity) {}

  void open() override {
    mailbox_ = std::make_shared<AsyncMailbox<Out>>(this->context().wake_task);
    Base::open();
    state_ = &this->context().operator_state->template getListState<StoredElement>(
        ListStateDescriptor<StoredElement>{"_async_wait_operator_state_"});
    for (const auto& [value, timestamp_ms] : state_->get()) {
      backlog_.push_back({value, timestamp_ms});
    }
    takeBacklog();
  }

  void process(Batch<In>& batch) override {
    for (size_t i = 0; i < batch.values.size(); ++i) {
      backlog_.push_back({std::move(batch.values[i]), batch.has_timestamps
                                                          ? std::optional(batch.timestamps_ms[i])
                                                          : std::nullopt});
    }
    takeBacklog();
  }

  void processWatermark(int64_t watermark_ms) override {
    backlog_.push_back({std::nullopt, watermark_ms});
    takeBacklog();
    putOut();
  }

  bool isBlocked() const override {
    return !backlog_.empty() || (is_finishing_ && !queue_.isEmpty());
  }
  bool hasPendingWork() const override {
    return mailbox_ && (mailbox_->hasMail() || (!backlog_.empty() && !queue_.isFull()));
  }

  void resume() override {
    for (AsyncOutcome<Out>& outcome : mailbox_->take()) take(outcome);
    putOut();
    takeBacklog();
  }

  /// All retries that are due some time are made now, and none after them.
  void finish() override {
    is_finishing_ = true;
    for (const uint64_t number : std::exchange(awaiting_retry_, {})) retry(number);
  }

  void snapshotState(int64_t checkpoint_id) override {
    Base::snapshotState(checkpoint_id);
    std::vector<StoredElement> elements;
    queue_.forEach(
        [&](const Request& request) { elements.emplace_back(request.input, request.timestamp_ms); },
        [&](int64_t watermark_ms) { elements.emplace_back(std::nullopt, watermark_ms); });
    for (const Element& kept : backlog_) elements.emplace_back(kept.value, kept.timestamp_ms);
    state_->update(std::move(elements));
  }

  void close() override {
    if (mailbox_) mailbox_->close();
    Base::close();
  }

 private:
  /// A record with its timestamp, or, without a value, a watermark.
  struct Element {
    std::optional<In> value;
    std::optional<int64_t> timestamp_ms;
  };
  using StoredElement = std::tuple<std::optional<In>, std::optional<int64_t>>;

  struct Request {
    In input;
    std::optional<int64_t> timestamp_ms;
    ResultFuture<Out> future;  // Of the latest attempt.
    int attempt = 1;
    bool has_timed_out = false;
    std::vector<Out> results{};
  };

  struct Deadline {
    int64_t at_ms = 0;
    uint64_t number = 0;
  };

  void takeBacklog() {
    while (!backlog_.empty() && !queue_.isFull()) {
      Element element = std::move(backlog_.front());
      backlog_.pop_front();
      if (!element.value) {
        queue_.addWatermark(*element.timestamp_ms);
        putOut();
        continue;
      }
      const uint64_t number = ++last_number_;
      Request& request = queue_.add(number, {std::move(*element.value), element.timestamp_ms,
                                             ResultFuture<Out>(number, mailbox_)});
      if (settings_.timeout_ms > 0) setDeadline(number);
      this->guarded([&] { this->function_.asyncInvoke(request.input, request.future); });
    }
  }

  void take(AsyncOutcome<Out>& outcome) {
    Request* request = queue_.find(outcome.request);
    if (request == nullptr) return;
    bool again = false;
    this->guarded([&] {
      again = settings_.retry && !is_finishing_ && !request->has_timed_out &&
              settings_.retry->shouldRetry(request->attempt, outcome.results, outcome.failure);
      if (!again && outcome.failure) std::rethrow_exception(outcome.failure);
    });
    if (again) return retryLater(outcome.request, *request);
    request->results = std::move(outcome.results);
    queue_.complete(outcome.request);
  }

  void putOut() {
    queue_.takeCompleted(
        [this](Request& request) {
          if (request.timestamp_ms) {
            this->output_.setTimestamp(*request.timestamp_ms);
          } else {
            this->output_.eraseTimestamp();
          }
          for (Out& result : request.results) this->output_.collect(std::move(result));
        },
        [this](int64_t watermark_ms) { this->passWatermarkOn(watermark_ms); });
    this->output_.flushRecords();
  }

  int64_t nowMs() const { return this->context().processing_time->currentTimeMs(); }

  /// All requests have the same time, so that one timer, for the oldest of them, is enough.
  void setDeadline(uint64_t number) {
    deadlines_.push_back({nowMs() + settings_.timeout_ms, number});
    if (deadlines_.size() == 1) awaitFirstDeadline();
  }

  void awaitFirstDeadline() {
    this->context().processing_time->registerTimer(deadlines_.front().at_ms,
                                                   [this](int64_t) { onDeadline(); });
  }

  void onDeadline() {
    const int64_t now_ms = nowMs();
    while (!deadlines_.empty()) {
      Request* request = queue_.find(deadlines_.front().number);
      if (request != nullptr && deadlines_.front().at_ms > now_ms) return awaitFirstDeadline();
      const uint64_t number = deadlines_.front().number;
      deadlines_.pop_front();
      if (request != nullptr) timeOut(number, *request);
    }
  }

  void timeOut(uint64_t number, Request& request) {
    if (std::erase(awaiting_retry_, number) > 0) {
      request.future = ResultFuture<Out>(number, mailbox_);
    } else if (request.future.isCompleted()) {
      return;
    }
    request.has_timed_out = true;
    this->guarded([&] { this->function_.timeout(request.input, request.future); });
  }

  void retryLater(uint64_t number, const Request& request) {
    awaiting_retry_.push_back(number);
    this->context().processing_time->registerTimer(
        nowMs() + settings_.retry->backoffMs(request.attempt), [this, number](int64_t) {
          if (std::erase(awaiting_retry_, number) > 0) retry(number);
        });
  }

  void retry(uint64_t number) {
    Request& request = *queue_.find(number);
    ++request.attempt;
    request.future = ResultFuture<Out>(number, mailbox_);
    this->guarded([&] { this->function_.asyncInvoke(request.input, request.future); });
  }

  const AsyncSettings<Out> settings_;
  std::shared_ptr<AsyncMailbox<Out>> mailbox_;  // Shared with the futures; set from open() on.
  AsyncElementQueue<Request> queue_;
  std::deque<Element> backlog_;  // What came while the queue was full; bounded by the blocked task.
  std::deque<Deadline> deadlines_;
  std::vector<uint64_t> awaiting_retry_;
  OperatorListState<StoredElement>* state_ = nullptr;  // Owned by the store.
  uint64_t last_number_ = 0;
  bool is_finishing_ = false;
};

}  // namespace wiesel::runtime
