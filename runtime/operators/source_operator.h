#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "runtime/connector_api/source.h"
#include "runtime/operators/source_watermarks.h"
#include "runtime/operators/stream_operator.h"
#include "runtime/operators/watermark_maker.h"
#include "runtime/time/watermark_strategy.h"

namespace wiesel::runtime {

/// The head of a chain that reads a source, for code that does not know the record type.
class SourceOperatorBase : public StreamOperator {
 public:
  int inputCount() const override { return 0; }
  OperatorInput& input(int) override {
    WIESEL_CHECK(false) << "a source has no input";
    std::abort();
  }
  /// Puts out some records. Never blocks.
  virtual PollResult poll() = 0;

  /// Comes to a point at which a checkpoint may be taken, and stays there until endCheckpoint();
  /// called before the barrier is sent. Returns false while it has not come there: poll() goes on,
  /// and the call is repeated. Never blocks; wake_task is called when it is worth another try.
  virtual bool beginCheckpoint() { return true; }
  /// The state was saved, or the checkpoint is not to be taken any more.
  virtual void endCheckpoint() {}
};

/// Reads a source; with a strategy its records get their timestamps and watermarks at once.
/// Flink: SourceOperator (1.20).
template <class T>
class SourceOperator final : public SourceOperatorBase, private ReaderOutput<T> {
 public:
  explicit SourceOperator(std::shared_ptr<const Source<T>> source,
                          std::optional<WatermarkStrategy<T>> strategy = std::nullopt)
      : source_(std::move(source)), strategy_(std::move(strategy)) {}

  void open() override {
    OperatorContext& context = this->context();
    source_context_.subtask = context.subtask;
    source_context_.parallelism = context.parallelism;
    source_context_.is_restored = context.has_saved_state;
    source_context_.state = context.operator_state;
    source_context_.processing_time = context.processing_time;
    source_context_.wake = context.wake_task;
    guarded([this] {
      if (strategy_) watermarks_.emplace(*strategy_, output_);
      reader_ = source_->createReader();
      reader_->open(source_context_);
    });
    if (strategy_) emitPeriodically(context, [this] { probe(); });
  }

  PollResult poll() override {
    PollResult result = PollResult::kNothing;
    guarded([&] {
      result = reader_->poll(readerOutput());
      if (watermarks_) watermarks_->afterPoll(reader_->readsSplits());
    });
    output_.flushRecords();
    return result;
  }

  void snapshotState(int64_t checkpoint_id) override {
    guarded([&] { reader_->snapshotState(checkpoint_id); });
  }
  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    guarded([&] { reader_->notifyCheckpointComplete(checkpoint_id); });
  }
  void notifyCheckpointAborted(int64_t checkpoint_id) override {
    guarded([&] { reader_->notifyCheckpointAborted(checkpoint_id); });
  }
  void close() override {
    if (reader_) guardedClose([this] { reader_->close(); });
  }

  OutputBase* output() override { return &output_; }

 private:
  ReaderOutput<T>& readerOutput() {
    if (watermarks_) return *watermarks_;
    return *this;
  }

  void probe() {
    guarded(
        [this] { watermarks_->onPeriodicEmit(this->context().processing_time->currentTimeMs()); });
  }

  // Without a strategy nothing is told apart by splits.
  void collect(T value) override {
    output_.eraseTimestamp();
    output_.collect(std::move(value));
  }
  void collectWithTimestamp(T value, int64_t timestamp_ms) override {
    output_.setTimestamp(timestamp_ms);
    output_.collect(std::move(value));
  }
  SourceOutput<T>& createOutputForSplit(const std::string&) override { return *this; }
  void releaseOutputForSplit(const std::string&) override {}

  const std::shared_ptr<const Source<T>> source_;  // Shared by the subtasks; immutable.
  const std::optional<WatermarkStrategy<T>> strategy_;
  SourceContext source_context_;
  std::unique_ptr<SourceReader<T>> reader_;
  Output<T> output_;
  std::optional<SourceWatermarks<T>> watermarks_;  // With a strategy, from open() on.
};

}  // namespace wiesel::runtime
