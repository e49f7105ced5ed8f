#pragma once

#include <cstdint>

#include "runtime/operators/operator_input.h"
#include "runtime/time/watermark_valve.h"

namespace wiesel::runtime {

/// An operator's input that several channels feed: makes one watermark and one status of theirs
/// before they reach it.
///
/// Threads: the task thread only.
/// Flink:   StatusWatermarkValve, AbstractStreamTaskNetworkInput (1.20): a watermark that a
///          channel's idleness sets free goes before the status; repeated statuses are swallowed.
class ValvedInput {
 public:
  /// Borrows `target`. Requires channels >= 1.
  ValvedInput(OperatorInput& target, int channels) : target_(&target), valve_(channels) {}

  void processWatermark(int channel, int64_t watermark_ms);
  void processWatermarkStatus(int channel, bool idle);

 private:
  OperatorInput* target_;  // Not owned.
  WatermarkValve valve_;
};

}  // namespace wiesel::runtime
