#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "common/check.h"
#include "runtime/operators/operator_context.h"
#include "runtime/operators/operator_failure.h"
#include "runtime/operators/operator_input.h"
#include "runtime/operators/output.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// One operator of a chain, one subtask of it.
///
/// Order:   setUp, open (from the end of the chain to its head), elements and notifications, finish
///          when all input has ended, close. close() also comes after a failure, and then perhaps
///          without open().
/// Threads: the task thread only.
/// Errors:  exceptions; they fail the task.
/// Flink:   StreamOperator, AbstractStreamOperator (1.20).
class StreamOperator {
 public:
  StreamOperator() = default;
  virtual ~StreamOperator() = default;
  StreamOperator(const StreamOperator&) = delete;
  StreamOperator& operator=(const StreamOperator&) = delete;

  virtual void setUp(OperatorContext& context) { context_ = &context; }
  virtual void open() {}
  virtual void finish() {}
  virtual void close() {}

  /// Puts out what must be in front of the barrier, which leaves right after it.
  virtual void prepareSnapshotPreBarrier(int64_t checkpoint_id) { (void)checkpoint_id; }
  /// Puts what is only in members into state. The state itself is saved right after it.
  virtual void snapshotState(int64_t checkpoint_id) { (void)checkpoint_id; }
  virtual void notifyCheckpointComplete(int64_t checkpoint_id) { (void)checkpoint_id; }
  virtual void notifyCheckpointAborted(int64_t checkpoint_id) { (void)checkpoint_id; }

  virtual int inputCount() const { return 1; }
  virtual OperatorInput& input(int index) = 0;
  /// Null for a sink.
  virtual OutputBase* output() = 0;
  /// Null for an operator without keyed state.
  virtual state::KeyedStateBackend* keyedState() { return nullptr; }

  /// True while an element that was given to the operator is not worked through: it stopped half
  /// way so that its output could drain. Until resume() has finished it nothing else may come.
  virtual bool hasPendingWork() const { return false; }
  virtual void resume() {}

  /// True while the operator waits for results from elsewhere and wants no more input; after
  /// finish(), while it has not finished yet. It calls wake_task when there is something to
  /// resume(). Elements that come nonetheless, such as from timers of operators before it, are
  /// kept.
  virtual bool isBlocked() const { return false; }

  /// True while a watermark is worked through and has not gone on: what comes behind it waits.
  virtual bool holdsWatermark() const { return false; }

  OperatorContext& context() const {
    WIESEL_CHECK(context_ != nullptr);
    return *context_;
  }
  const std::string& name() const { return context().operator_name; }

 protected:
  /// runUserCode in this operator's name.
  template <class Call>
  void guarded(Call&& call) {
    runUserCode(name(), call, [this] {
      if (output() != nullptr) output()->flushRecords();
    });
  }

  /// The same for the end, when nothing may be put out any more.
  template <class Call>
  void guardedClose(Call&& call) {
    runUserCode(name(), call, [] {});
  }

 private:
  OperatorContext* context_ = nullptr;  // Not owned.
};

/// An operator with one input of In records that puts out Out records, and passes watermarks and
/// statuses on as they come: a status behind a watermark that is still worked through waits for it.
template <class In, class Out>
class OneInputOperator : public StreamOperator, public TypedInput<In> {
 public:
  OperatorInput& input(int index) override {
    WIESEL_CHECK(index == 0);
    return *this;
  }
  OutputBase* output() override { return &output_; }

  void processWatermark(int64_t watermark_ms) override { passWatermarkOn(watermark_ms); }
  void processWatermarkStatus(bool idle) override {
    if (this->holdsWatermark()) {
      waiting_status_ = idle;
    } else {
      output_.emitWatermarkStatus(idle);
    }
  }

 protected:
  void passWatermarkOn(int64_t watermark_ms) {
    output_.emitWatermark(watermark_ms);
    if (waiting_status_) output_.emitWatermarkStatus(*std::exchange(waiting_status_, {}));
  }

  /// Calls `f(index)` for each record of the batch with the output's timestamp set to the record's,
  /// and hands the results on.
  template <class F>
  void forEachRecord(Batch<In>& batch, F&& f) {
    guarded([&] {
      const size_t count = batch.values.size();
      if (!batch.has_timestamps) output_.eraseTimestamp();
      for (size_t i = 0; i < count; ++i) {
        if (batch.has_timestamps) output_.setTimestamp(batch.timestamps_ms[i]);
        f(i);
      }
    });
    output_.flushRecords();
  }

  Output<Out> output_;

 private:
  std::optional<bool> waiting_status_;
};

/// An operator at the end of a stream.
template <class In>
class SinkBase : public StreamOperator, public TypedInput<In> {
 public:
  OperatorInput& input(int index) override {
    WIESEL_CHECK(index == 0);
    return *this;
  }
  OutputBase* output() override { return nullptr; }
  void processWatermarkStatus(bool) override {}
};

}  // namespace wiesel::runtime
