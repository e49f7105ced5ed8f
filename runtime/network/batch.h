#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/serialization/data_input.h"
#include "common/serialization/data_output.h"
#include "common/serialization/serializer.h"

namespace wiesel::runtime {

/// Records in a full batch, unless each shall travel alone.
inline constexpr size_t kBatchRecords = 256;

/// Records on their way, several at a time and of one type that only the two ends know: what tasks,
/// channels and the data plane hand on without looking inside.
///
/// Threads: none of its own; owned by exactly one holder, which may change its content.
class BatchBase {
 public:
  virtual ~BatchBase() = default;
  virtual size_t size() const = 0;
  virtual std::unique_ptr<BatchBase> copy() const = 0;
  /// Appends the records in the form that BatchType::deserialize of the same type reads.
  virtual void serialize(DataOutput& output) const = 0;
};

/// The records of one batch: values and, when it has any, their event-time timestamps (milliseconds
/// since the epoch), index by index. Either all records of a batch have a timestamp or none has.
template <class T>
class Batch final : public BatchBase {
 public:
  std::vector<T> values;
  std::vector<int64_t> timestamps_ms;  // Empty when has_timestamps is false.
  bool has_timestamps = false;

  size_t size() const override { return values.size(); }

  std::unique_ptr<BatchBase> copy() const override { return std::make_unique<Batch<T>>(*this); }

  void clear() {
    values.clear();
    timestamps_ms.clear();
  }

  void serialize(DataOutput& output) const override {
    output.writeInt(static_cast<int32_t>(values.size()));
    output.writeBool(has_timestamps);
    if (has_timestamps) {
      for (int64_t timestamp_ms : timestamps_ms) output.writeLong(timestamp_ms);
    }
    for (const T& value : values) Serializer<T>::write(value, output);
  }
};

/// Makes batches of one record type out of bytes. One immutable object a type, for ever alive.
class BatchType {
 public:
  virtual ~BatchType() = default;
  /// Returns null when the bytes are not what Batch::serialize wrote; input.error() says why.
  virtual std::unique_ptr<BatchBase> deserialize(DataInput& input) const = 0;
};

template <class T>
class TypedBatchType final : public BatchType {
 public:
  static const BatchType& instance() {
    static const TypedBatchType<T> type;
    return type;
  }

  std::unique_ptr<BatchBase> deserialize(DataInput& input) const override {
    auto batch = std::make_unique<Batch<T>>();
    const int32_t count = input.readInt();
    batch->has_timestamps = input.readBool();
    if (count < 0 || static_cast<size_t>(count) > mostRecordsIn(*batch, input.remaining())) {
      input.fail("a batch claims " + std::to_string(count) + " records");
    }
    if (!input.ok()) return nullptr;
    if (batch->has_timestamps) {
      batch->timestamps_ms.reserve(count);
      for (int32_t i = 0; i < count; ++i) batch->timestamps_ms.push_back(input.readLong());
    }
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      batch->values.emplace_back();
      Serializer<T>::read(batch->values.back(), input);
    }
    if (!input.ok()) return nullptr;
    return batch;
  }

 private:
  /// What no count may exceed, so that damaged bytes cannot make us work for ever: records take
  /// bytes, and of those that take none there is at most a full batch.
  static size_t mostRecordsIn(const Batch<T>& batch, size_t bytes) {
    return batch.has_timestamps ? bytes / sizeof(int64_t) : std::max(bytes, kBatchRecords);
  }
};

}  // namespace wiesel::runtime
