#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/to_text.h"
#include "runtime/operators/stream_operator.h"
#include "state/key_group.h"

namespace wiesel::runtime {

/// A clock that the test moves; timers that are due fire meanwhile.
class ManualProcessingTime final : public ProcessingTimeService {
 public:
  int64_t currentTimeMs() const override { return now_ms_; }
  void registerTimer(int64_t timestamp_ms, std::function<void(int64_t)> callback) override {
    timers_.emplace(timestamp_ms, std::move(callback));
  }

  void advanceTo(int64_t now_ms) {
    now_ms_ = now_ms;
    while (fireOne()) {
    }
  }
  void setTo(int64_t now_ms) { now_ms_ = now_ms; }
  bool fireOne() {
    if (timers_.empty() || timers_.begin()->first > now_ms_) return false;
    const auto due = timers_.extract(timers_.begin());
    due.mapped()(due.key());
    return true;
  }

 private:
  int64_t now_ms_ = 1000;
  std::multimap<int64_t, std::function<void(int64_t)>> timers_;
};

/// Writes down what an operator puts out: "value@timestamp", "value", "W watermark", "idle",
/// "active".
template <class T>
class RecordingInput final : public TypedInput<T> {
 public:
  void process(Batch<T>& batch) override {
    for (size_t i = 0; i < batch.values.size(); ++i) {
      std::ostringstream line;
      toText(line, batch.values[i]);
      if (batch.has_timestamps) line << '@' << batch.timestamps_ms[i];
      lines.push_back(line.str());
    }
  }
  void processWatermark(int64_t watermark_ms) override {
    lines.push_back("W " + std::to_string(watermark_ms));
  }
  void processWatermarkStatus(bool idle) override { lines.push_back(idle ? "idle" : "active"); }

  std::vector<std::string> lines;
};

/// Runs one operator of In records and Out results alone, with state in memory.
template <class In, class Out>
class OperatorHarness {
 public:
  using Lines = std::vector<std::string>;

  explicit OperatorHarness(std::unique_ptr<StreamOperator> op) { begin(std::move(op), {}); }

  /// One batch of records with timestamps.
  void records(const std::vector<std::pair<In, int64_t>>& records) {
    Batch<In> batch;
    batch.has_timestamps = true;
    for (const auto& [value, timestamp_ms] : records) {
      batch.values.push_back(value);
      batch.timestamps_ms.push_back(timestamp_ms);
    }
    op_->input(0).processBatch(batch);
  }

  /// One batch of records without.
  void recordsWithoutTimestamp(std::vector<In> values) {
    Batch<In> batch;
    batch.values = std::move(values);
    op_->input(0).processBatch(batch);
  }

  /// As a task does it: an operator that stops half way is resumed.
  void watermark(int64_t watermark_ms) {
    op_->input(0).processWatermark(watermark_ms);
    while (op_->hasPendingWork()) op_->resume();
  }

  /// Takes a snapshot, throws the operator away and restores `fresh` from it.
  void snapshotAndRestore(std::unique_ptr<StreamOperator> fresh) {
    op_->snapshotState(1);
    std::vector<state::KeyedRestore> restored;
    if (op_->keyedState() != nullptr) {
      state::KeyedSnapshot snapshot = op_->keyedState()->snapshot(1);
      restored.push_back({snapshot.range,
                          std::make_shared<const std::string>(std::move(snapshot.stream)),
                          snapshot.offsets,
                          {}});
    }
    begin(std::move(fresh), std::move(restored));
  }

  /// What was put out since the last call.
  Lines take() { return std::exchange(output_.lines, {}); }

  ManualProcessingTime clock;

 private:
  static constexpr int kMaxParallelism = 128;

  void begin(std::unique_ptr<StreamOperator> op, std::vector<state::KeyedRestore> restored) {
    op_ = std::move(op);
    state_ = std::make_unique<state::OperatorStateStore>();
    context_ = std::make_unique<OperatorContext>();
    context_->operator_name = "operator";
    context_->max_parallelism = kMaxParallelism;
    context_->processing_time = &clock;
    context_->operator_state = state_.get();
    context_->keyed_setup.range = state::keyGroupRangeFor(0, 1, kMaxParallelism);
    context_->keyed_setup.max_parallelism = kMaxParallelism;
    context_->keyed_setup.restored = std::move(restored);
    if (op_->output() != nullptr) op_->output()->addTarget(output_);
    op_->setUp(*context_);
    op_->open();
  }

  std::unique_ptr<OperatorContext> context_;
  std::unique_ptr<state::OperatorStateStore> state_;
  RecordingInput<Out> output_;
  std::unique_ptr<StreamOperator> op_;
};

}  // namespace wiesel::runtime
