#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/functions/collector.h"
#include "runtime/functions/output_tag.h"
#include "runtime/operators/operator_input.h"

namespace wiesel::runtime {

template <class T>
class Output;

/// What an operator puts out, for code that does not know the record type: its main output, or one
/// of its side outputs.
///
/// Threads: the task thread only.
class OutputBase {
 public:
  virtual ~OutputBase() = default;

  /// Adds a consumer, which must take the output's record type and outlive the output.
  virtual void addTarget(OperatorInput& target) = 0;

  /// The side output named `id`, which is `fresh` when there was none: some consumer wants it.
  OutputBase& addSide(const std::string& id, std::unique_ptr<OutputBase> fresh) {
    if (OutputBase* known = findSide(id)) return *known;
    return *sides_.emplace_back(Side{id, std::move(fresh)}).output;
  }

  /// Puts a record out at the side; nothing happens when nobody wants it. Defined below.
  template <class S>
  void emitSide(const OutputTag<S>& tag, S value, int64_t timestamp_ms);

  /// Hands on the records that were collected, here and at the sides.
  void flushRecords() {
    flushOwn();
    for (const Side& side : sides_) side.output->flushRecords();
  }

  /// How many records are a full batch from now on, here and at the sides. With 1 each record goes
  /// on at once, which keeps the order between outputs.
  void setBatchRecords(size_t records) {
    setOwnBatchRecords(records);
    for (const Side& side : sides_) side.output->setBatchRecords(records);
  }

  void emitWatermark(int64_t watermark_ms) {
    flushRecords();
    for (OperatorInput* target : targets_) target->processWatermark(watermark_ms);
    for (const Side& side : sides_) side.output->emitWatermark(watermark_ms);
  }

  void emitWatermarkStatus(bool idle) {
    flushRecords();
    for (OperatorInput* target : targets_) target->processWatermarkStatus(idle);
    for (const Side& side : sides_) side.output->emitWatermarkStatus(idle);
  }

 protected:
  virtual void flushOwn() = 0;
  virtual void setOwnBatchRecords(size_t records) = 0;

  std::vector<OperatorInput*> targets_;  // Not owned.

 private:
  struct Side {
    std::string id;
    std::unique_ptr<OutputBase> output;
  };

  OutputBase* findSide(const std::string& id) const {
    for (const Side& side : sides_) {
      if (side.id == id) return side.output.get();
    }
    return nullptr;
  }

  std::vector<Side> sides_;  // Few: the tags of one operator.
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

  /// Hands on a batch as it is, behind what was collected before.
  void emitBatch(Batch<T>& batch) {
    flushRecords();
    deliver(batch);
  }

 private:
  void flushOwn() override {
    if (!this->batch_.values.empty()) flush();
  }
  void setOwnBatchRecords(size_t records) override { this->batch_records_ = records; }

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
    flushOwn();
    this->batch_.has_timestamps = has_timestamps;
  }
};

template <class S>
void OutputBase::emitSide(const OutputTag<S>& tag, S value, int64_t timestamp_ms) {
  OutputBase* side = findSide(tag.id);
  if (side == nullptr) return;
  auto* output = dynamic_cast<Output<S>*>(side);
  if (output == nullptr) {
    throw std::logic_error("side output '" + tag.id + "' is read with another type than written");
  }
  output->setTimestamp(timestamp_ms);
  output->collect(std::move(value));
}

}  // namespace wiesel::runtime
