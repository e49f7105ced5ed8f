#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/functions/collector.h"
#include "runtime/functions/function_calls.h"
#include "runtime/functions/source_function.h"
#include "runtime/operators/source_monitor.h"
#include "runtime/operators/source_operator.h"

namespace wiesel::runtime {

/// Runs a SourceFunction in a thread of its own and puts out what it collects.
///
/// A checkpoint begins when the function does not hold the lock and what it has collected has been
/// put out; the lock is kept until the function's state is saved. Notifications of checkpoints wait
/// for the lock, too.
/// Flink: StreamSource, SourceStreamTask, StreamSourceContexts.ManualWatermarkContext (1.20).
template <class T, class F>
class SourceFunctionOperator final : public SourceOperatorBase,
                                     private SourceFunction<T>::SourceContext {
 public:
  explicit SourceFunctionOperator(F function) : function_(std::move(function)) {}

  void open() override {
    monitor_ = std::make_unique<SourceMonitor<T>>(this->context().wake_task);
    runtime_context_.emplace(this->context(), nullptr);
    guarded([this] { openFunction(function_, *runtime_context_); });
    thread_ = std::thread([this] { runFunction(); });
  }

  PollResult poll() override {
    PollResult result = PollResult::kMore;
    guarded([&] {
      deliverNotifications();
      if (emitWaiting() > 0) return;
      result = monitor_->isAtEnd() ? PollResult::kEnd : PollResult::kNothing;
    });
    output_.flushRecords();
    return result;
  }

  bool beginCheckpoint() override {
    in_checkpoint_ = true;
    guarded([this] { deliverNotifications(); });
    return monitor_->tryLockForTask() && monitor_->isEmpty();
  }
  void snapshotState(int64_t checkpoint_id) override {
    guarded([&] { snapshotFunction(function_, checkpoint_id); });
  }
  void endCheckpoint() override {
    in_checkpoint_ = false;
    letGoOfLock();
  }

  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    notify([this, checkpoint_id] { notifyFunctionOfCompletion(function_, checkpoint_id); });
  }
  void notifyCheckpointAborted(int64_t checkpoint_id) override {
    notify([this, checkpoint_id] { notifyFunctionOfAbort(function_, checkpoint_id); });
  }

  void close() override {
    if (!monitor_) return;
    const bool is_running = thread_.joinable() && !monitor_->hasEnded();
    monitor_
        ->close();  // First, since cancel() may need the lock of a function that waits for room.
    std::exception_ptr failed_cancel;
    try {
      guardedClose([&] {
        if (is_running) function_.cancel();
      });
    } catch (...) {
      failed_cancel = std::current_exception();
    }
    if (thread_.joinable()) thread_.join();
    guardedClose([this] { closeFunction(function_); });
    if (failed_cancel) std::rethrow_exception(failed_cancel);
  }

  OutputBase* output() override { return &output_; }

 private:
  using Element = typename SourceMonitor<T>::Element;
  using Kind = typename Element::Kind;

  void runFunction() {
    std::exception_ptr error;
    try {
      function_.run(*this);
    } catch (const SourceCancelled&) {
    } catch (...) {
      error = std::current_exception();
    }
    monitor_->end(std::move(error));
  }

  /// Calls the function with the lock held: at once, or as soon as it can be had.
  void notify(std::function<void()> notification) {
    notifications_.push_back(std::move(notification));
    guarded([this] { deliverNotifications(); });
  }

  void deliverNotifications() {
    if (notifications_.empty() || !monitor_->tryLockForTask()) return;
    for (const auto& notification : std::exchange(notifications_, {})) notification();
    letGoOfLock();
  }

  void letGoOfLock() {
    if (!in_checkpoint_ && notifications_.empty()) monitor_->unlockForTask();
  }

  /// Puts out what waits, up to a batch or a watermark, which may be much work; returns how many
  /// elements it was.
  size_t emitWaiting() {
    for (size_t taken = 0; taken < Collector<T>::kBatchRecords; ++taken) {
      std::optional<Element> element = monitor_->take();
      if (!element) return taken;
      emit(*element);
      if (element->kind == Kind::kWatermark) return taken + 1;
    }
    return Collector<T>::kBatchRecords;
  }

  void emit(Element& element) {
    if (element.kind == Kind::kIdle) return setIdle(true);
    setIdle(false);
    if (element.kind == Kind::kWatermark) return output_.emitWatermark(*element.timestamp_ms);
    if (element.timestamp_ms) {
      output_.setTimestamp(*element.timestamp_ms);
    } else {
      output_.eraseTimestamp();
    }
    output_.collect(*std::move(element.value));
  }

  void setIdle(bool idle) {
    if (std::exchange(is_idle_, idle) != idle) output_.emitWatermarkStatus(idle);
  }

  // In the function's thread:
  void collect(T value) override { monitor_->put({Kind::kRecord, std::move(value), {}}); }
  void collectWithTimestamp(T value, int64_t timestamp_ms) override {
    monitor_->put({Kind::kRecord, std::move(value), timestamp_ms});
  }
  void emitWatermark(int64_t watermark_ms) override {
    monitor_->put({Kind::kWatermark, {}, watermark_ms});
  }
  void markAsTemporarilyIdle() override { monitor_->put({Kind::kIdle, {}, {}}); }
  CheckpointLock& getCheckpointLock() override { return *monitor_; }

  F function_;
  std::optional<RuntimeContext> runtime_context_;     // Set from open() on.
  std::unique_ptr<SourceMonitor<T>> monitor_;         // Set from open() on.
  bool in_checkpoint_ = false;                        // From beginCheckpoint() on.
  std::vector<std::function<void()>> notifications_;  // That wait for the lock.
  std::thread thread_;
  Output<T> output_;
  bool is_idle_ = false;
};

}  // namespace wiesel::runtime
