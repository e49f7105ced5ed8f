#pragma once

#include <cstdint>

#include "runtime/network/batch.h"

namespace wiesel::runtime {

/// Where elements go next: an input of the following operator of the chain, or the writer of an
/// edge to other tasks.
///
/// Threads: the task thread only.
class OperatorInput {
 public:
  virtual ~OperatorInput() = default;
  /// `batch` is a Batch of this input's record type; what is left in it afterwards is not defined.
  virtual void processBatch(BatchBase& batch) = 0;
  virtual void processWatermark(int64_t watermark_ms) = 0;
  virtual void processWatermarkStatus(bool idle) = 0;
};

template <class T>
class TypedInput : public OperatorInput {
 public:
  virtual void process(Batch<T>& batch) = 0;
  void processBatch(BatchBase& batch) final { process(static_cast<Batch<T>&>(batch)); }
};

}  // namespace wiesel::runtime
