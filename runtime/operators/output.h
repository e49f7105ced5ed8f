#pragma once

#include <cstdint>
#include <vector>

#include "runtime/functions/collector.h"
#include "runtime/operators/operator_input.h"

namespace wiesel::runtime {

/// What an operator puts out, for code that does not know the record type.
class OutputBase {
 public:
  virtual ~OutputBase() = default;

  /// Adds a consumer, which must take the operator's record type and outlive the output.
  virtual void addTarget(OperatorInput& target) = 0;

  /// Hands on the records that were collected.
  virtual void flushRecords() = 0;

  void emitWatermark(int64_t watermark_ms) {
    flushRecords();
    for (OperatorInput* target : targets_) target->processWatermark(watermark_ms);
  }

  void emitWatermarkStatus(bool idle) {
    flushRecords();
    for (OperatorInput* target : targets_) target->processWatermarkStatus(idle);
  }

 protected:
  std::vector<OperatorInput*> targets_;  // Not owned.
};

/// What an operator puts out: records, gathered into batches, and control elements behind them.
///
/// Threads: the task thread only.
/// Flink:   Output, CountingOutput, BroadcastingOutputCollector (1.20).
template <class T>
class Output final : public Collector<T>, public OutputBase {
 public:
  void addTarget(OperatorInput& target) override { targets_.push_back(&target); }

  /// What is collected next has this timestamp.
  void setTimestamp(int64_t timestamp_ms) {
    if (!this->batch_.has_timestamps) switchTimestamps(true);
    this->timestamp_ms_ = timestamp_ms;
  }

  /// What is collected next has no timestamp.
  void eraseTimestamp() {
    if (this->batch_.has_timestamps) switchTimestamps(false);
  }

  /// What is collected next has the timestamp, or none, of a record of `batch`.
  template <class In>
  void takeTimestamp(const Batch<In>& batch, size_t index) {
    if (batch.has_timestamps) {
      setTimestamp(batch.timestamps_ms[index]);
    } else {
      eraseTimestamp();
    }
  }

  void flushRecords() override {
    if (!this->batch_.values.empty()) flush();
  }

  /// Hands on a batch as it is, behind what was collected before.
  void emitBatch(Batch<T>& batch) {
    flushRecords();
    deliver(batch);
  }

 private:
  void flush() override {
    deliver(this->batch_);
    this->batch_.clear();
  }

  /// Copies for all consumers but the last, which may take what it gets.
  void deliver(Batch<T>& batch) {
    if (targets_.empty()) return;
    for (size_t i = 0; i + 1 < targets_.size(); ++i) {
      Batch<T> copy(batch);
      targets_[i]->processBatch(copy);
    }
    targets_.back()->processBatch(batch);
  }

  void switchTimestamps(bool has_timestamps) {
    flushRecords();
    this->batch_.has_timestamps = has_timestamps;
  }
};

}  // namespace wiesel::runtime
