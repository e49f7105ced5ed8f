#pragma once

#include <cstdint>
#include <limits>

#include "runtime/operators/output.h"

namespace wiesel::runtime {

/// The watermark and the status that an output has told: a watermark only when it grows, a status
/// only when it changes.
///
/// Threads: the task thread only.
/// Flink:   TimestampsAndWatermarksOperator.WatermarkEmitter, WatermarkToDataOutput (1.20).
class WatermarkEmitter {
 public:
  static constexpr int64_t kNoWatermark = std::numeric_limits<int64_t>::min();

  /// Borrows `output`.
  explicit WatermarkEmitter(OutputBase& output) : output_(output) {}

  /// Ignored unless it is higher than the last one. Ends idleness.
  void emitWatermark(int64_t watermark_ms) {
    if (watermark_ms <= watermark_ms_) return;
    watermark_ms_ = watermark_ms;
    setIdle(false);
    output_.emitWatermark(watermark_ms);
  }

  void setIdle(bool idle) {
    if (idle == is_idle_) return;
    is_idle_ = idle;
    output_.emitWatermarkStatus(idle);
  }

  int64_t watermarkMs() const { return watermark_ms_; }
  bool isIdle() const { return is_idle_; }

 private:
  OutputBase& output_;
  int64_t watermark_ms_ = kNoWatermark;
  bool is_idle_ = false;
};

}  // namespace wiesel::runtime
