#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/check.h"
#include "runtime/network/channel_queue.h"
#include "runtime/operators/operator_input.h"

namespace wiesel::runtime {

/// The end of one edge at its producer subtask: puts records into the channels to the consumers.
///
/// Threads: the task thread only.
/// Flink:   RecordWriter, ResultPartition (1.20).
class RecordWriter {
 public:
  /// At least one channel.
  explicit RecordWriter(std::vector<std::shared_ptr<ChannelQueue>> channels)
      : channels_(std::move(channels)) {
    WIESEL_CHECK(!channels_.empty());
  }
  virtual ~RecordWriter() = default;

  /// The face towards the operator whose output it is.
  virtual OperatorInput& asInput() = 0;

  /// Sends the records that wait for a full batch.
  virtual void flush() = 0;

  /// Sends a control element to every consumer, behind all records so far.
  void broadcast(StreamElement::Kind kind, int64_t value = 0, int64_t timestamp_ms = 0) {
    flush();
    for (const auto& channel : channels_) channel->push({kind, value, timestamp_ms, nullptr});
  }

  /// True when some consumer is behind: begin no new work.
  bool anyFull() const {
    for (const auto& channel : channels_) {
      if (channel->full()) return true;
    }
    return false;
  }

 protected:
  const std::vector<std::shared_ptr<ChannelQueue>> channels_;  // Shared with the consumers' ends.
};

/// A writer of T records: what all kinds of partitioning have in common.
template <class T>
class TypedRecordWriter : public RecordWriter, public TypedInput<T> {
 public:
  using RecordWriter::RecordWriter;

  OperatorInput& asInput() override { return *this; }
  void processWatermark(int64_t watermark_ms) override {
    broadcast(StreamElement::Kind::kWatermark, watermark_ms);
  }
  void processWatermarkStatus(bool idle) override {
    broadcast(StreamElement::Kind::kWatermarkStatus, idle ? 1 : 0);
  }
};

/// What `batch` holds; it is empty then.
template <class T>
std::unique_ptr<Batch<T>> takenFrom(Batch<T>& batch) {
  auto taken = std::make_unique<Batch<T>>();
  taken->values.swap(batch.values);
  taken->timestamps_ms.swap(batch.timestamps_ms);
  taken->has_timestamps = batch.has_timestamps;
  return taken;
}

/// All records to one channel, in the batches in which they come. Flink: ForwardPartitioner,
/// GlobalPartitioner (1.20).
template <class T>
class SingleChannelWriter final : public TypedRecordWriter<T> {
 public:
  using TypedRecordWriter<T>::TypedRecordWriter;

  void process(Batch<T>& batch) override {
    this->channels_.front()->push(StreamElement::ofBatch(takenFrom(batch)));
  }
  void flush() override {}
};

/// Every record to every channel. Flink: BroadcastPartitioner (1.20).
template <class T>
class BroadcastWriter final : public TypedRecordWriter<T> {
 public:
  using TypedRecordWriter<T>::TypedRecordWriter;

  void process(Batch<T>& batch) override {
    const size_t last = this->channels_.size() - 1;
    for (size_t channel = 0; channel < last; ++channel) {
      this->channels_[channel]->push(StreamElement::ofBatch(batch.copy()));
    }
    this->channels_[last]->push(StreamElement::ofBatch(takenFrom(batch)));
  }
  void flush() override {}
};

/// Each record to the channel that `Select` names; a batch for each channel is filled meanwhile.
template <class T, class Select>
class SelectingWriter final : public TypedRecordWriter<T> {
 public:
  SelectingWriter(std::vector<std::shared_ptr<ChannelQueue>> channels, Select select,
                  size_t batch_records)
      : TypedRecordWriter<T>(std::move(channels)),
        select_(std::move(select)),
        batch_records_(batch_records),
        pending_(this->channels_.size()) {}

  void process(Batch<T>& batch) override {
    for (size_t i = 0; i < batch.values.size(); ++i) {
      const size_t channel = select_(batch.values[i]);
      Batch<T>& pending = open(channel, batch.has_timestamps);
      pending.values.push_back(std::move(batch.values[i]));
      if (batch.has_timestamps) pending.timestamps_ms.push_back(batch.timestamps_ms[i]);
      if (pending.values.size() >= batch_records_) send(channel);
    }
  }

  void flush() override {
    for (size_t channel = 0; channel < pending_.size(); ++channel) send(channel);
  }

 private:
  Batch<T>& open(size_t channel, bool has_timestamps) {
    std::unique_ptr<Batch<T>>& pending = pending_[channel];
    if (pending && pending->has_timestamps != has_timestamps) send(channel);
    if (!pending) {
      pending = std::make_unique<Batch<T>>();
      pending->has_timestamps = has_timestamps;
      pending->values.reserve(batch_records_);
      if (has_timestamps) pending->timestamps_ms.reserve(batch_records_);
    }
    return *pending;
  }

  void send(size_t channel) {
    if (pending_[channel]) {
      this->channels_[channel]->push(StreamElement::ofBatch(std::move(pending_[channel])));
    }
  }

  Select select_;
  const size_t batch_records_;
  std::vector<std::unique_ptr<Batch<T>>> pending_;  // By channel; null: nothing waits.
};

}  // namespace wiesel::runtime
