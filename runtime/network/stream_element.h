#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/network/batch.h"

namespace wiesel::runtime {

/// What travels through a channel: records, and the control elements that keep their place among
/// them.
struct StreamElement {
  enum class Kind : uint8_t {
    kBatch,
    kWatermark,        // value: event time in milliseconds.
    kWatermarkStatus,  // value: 1 idle, 0 active.
    kBarrier,          // value: checkpoint id; timestamp_ms: when it was triggered.
    kEndOfData,        // No more records; barriers may still follow. value: 1 when drained.
    kEndOfPartition,   // Nothing follows.
    kCancellation,     // value: id of a checkpoint that the producer has given up.
  };

  Kind kind = Kind::kEndOfPartition;
  int64_t value = 0;
  int64_t timestamp_ms = 0;
  std::unique_ptr<BatchBase> batch;

  static StreamElement ofBatch(std::unique_ptr<BatchBase> batch) {
    return {Kind::kBatch, 0, 0, std::move(batch)};
  }
  static StreamElement watermark(int64_t watermark_ms) {
    return {Kind::kWatermark, watermark_ms, 0, nullptr};
  }
  static StreamElement watermarkStatus(bool idle) {
    return {Kind::kWatermarkStatus, idle ? 1 : 0, 0, nullptr};
  }
  static StreamElement barrier(int64_t checkpoint_id, int64_t timestamp_ms) {
    return {Kind::kBarrier, checkpoint_id, timestamp_ms, nullptr};
  }
  static StreamElement cancellation(int64_t checkpoint_id) {
    return {Kind::kCancellation, checkpoint_id, 0, nullptr};
  }
  static StreamElement endOfData() { return {Kind::kEndOfData, 1, 0, nullptr}; }
  static StreamElement endOfPartition() { return {Kind::kEndOfPartition, 0, 0, nullptr}; }
};

}  // namespace wiesel::runtime
