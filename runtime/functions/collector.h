#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/network/batch.h"

namespace wiesel {

/// Takes the results of a function. They travel on in batches; what is collected is handed on when
/// a batch is full and when the input at hand has been worked through.
///
/// Threads: the task's own, only during the call that got the collector.
/// Flink:   Collector, TimestampedCollector (1.20): a result has the timestamp of the record, or
///          of the timer, that it was made for.
template <class T>
class Collector {
 public:
  static constexpr size_t kBatchRecords = runtime::kBatchRecords;

  virtual ~Collector() = default;

  void collect(T value) {
    batch_.values.push_back(std::move(value));
    if (batch_.has_timestamps) batch_.timestamps_ms.push_back(timestamp_ms_);
    if (batch_.values.size() >= batch_records_) flush();
  }

 protected:
  /// Hands the batch on and leaves it empty.
  virtual void flush() = 0;

  runtime::Batch<T> batch_;
  size_t batch_records_ = kBatchRecords;  // How many are a full batch.
  int64_t timestamp_ms_ = 0;              // Of what is collected next, when batch_.has_timestamps.
};

}  // namespace wiesel
