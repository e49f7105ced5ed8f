#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/connector_api/sink.h"
#include "runtime/operators/sink_committer.h"
#include "runtime/operators/stream_operator.h"
#include "runtime/operators/with_function.h"

namespace wiesel::runtime {

/// Calls a function for each record of a stream that ends here, and its finish(), if it has one,
/// when all input has ended. Flink: StreamSink (1.20).
template <class In, class F>
class FunctionSinkOperator final : public WithFunction<SinkBase<In>, F> {
 public:
  using WithFunction<SinkBase<In>, F>::WithFunction;

  void process(Batch<In>& batch) override {
    this->guarded([&] {
      for (const In& value : batch.values) {
        if constexpr (requires { this->function_.invoke(value); }) {
          this->function_.invoke(value);
        } else {
          this->function_(value);
        }
      }
    });
  }
  void processWatermark(int64_t) override {}

  void finish() override {
    if constexpr (requires { this->function_.finish(); }) {
      this->guarded([this] { this->function_.finish(); });
    }
  }
};

/// Writes a stream through a Sink: what is written between two barriers becomes visible when the
/// checkpoint of the second one is complete.
/// Flink: SinkWriterOperator, CommitterOperator (1.20), here one operator.
template <class In>
class SinkOperator final : public SinkBase<In> {
 public:
  explicit SinkOperator(std::shared_ptr<const Sink<In>> sink) : sink_(std::move(sink)) {}

  void open() override {
    const OperatorContext& context = this->context();
    sink_context_ = {context.subtask,    context.parallelism,     context.attempt,
                     context.job_id,     context.has_saved_state, context.files,
                     context.operator_id};
    this->guarded([this, &context] {
      committer_.emplace(sink_->createCommitter(sink_context_), *context.operator_state);
      committer_->commitRestored();
      writer_ = sink_->createWriter(sink_context_);
    });
  }

  void process(Batch<In>& batch) override {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        writer_->write(batch.values[i],
                       batch.has_timestamps ? std::optional(batch.timestamps_ms[i]) : std::nullopt);
      }
    });
  }
  void processWatermark(int64_t) override {}

  void snapshotState(int64_t checkpoint_id) override {
    this->guarded([&] { committer_->add(checkpoint_id, writer_->prepareCommit()); });
  }

  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    this->guarded([&] { committer_->commitUpTo(checkpoint_id); });
  }

  /// Without checkpoints nobody will ever say that the output is safe: it is committed at the end.
  void finish() override {
    if (this->context().checkpointing) return;
    this->guarded([&] {
      committer_->add(0, writer_->prepareCommit());
      committer_->commitUpTo(0);
    });
  }

  void close() override {
    if (writer_) this->guardedClose([this] { writer_->close(); });
  }

 private:
  const std::shared_ptr<const Sink<In>> sink_;  // Shared by the subtasks; immutable.
  SinkContext sink_context_;
  std::optional<SinkCommitter> committer_;
  std::unique_ptr<SinkWriter<In>> writer_;
};

}  // namespace wiesel::runtime
