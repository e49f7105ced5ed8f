#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace wiesel::runtime {

/// Makes one event-time clock of an operator's two inputs: the lowest watermark of those that are
/// not idle.
///
/// Units:   event-time milliseconds since the epoch.
/// Threads: not thread-safe.
/// Promise: the values returned strictly increase.
/// Flink:   IndexedCombinedWatermarkStatus, CombinedWatermarkStatus (1.20).
class CombinedWatermark {
 public:
  /// Takes a watermark of an input, which is active again; returns the clock if that moved it.
  std::optional<int64_t> onWatermark(int input, int64_t watermark_ms) {
    Input& from = inputs_[input];
    from.idle = false;
    from.watermark_ms = std::max(from.watermark_ms, watermark_ms);
    return moveClock();
  }

  /// Takes an input's status; returns the clock if that moved it.
  std::optional<int64_t> onStatus(int input, bool idle) {
    inputs_[input].idle = idle;
    return moveClock();
  }

  /// True when both inputs are.
  bool isIdle() const { return inputs_[0].idle && inputs_[1].idle; }

 private:
  static constexpr int64_t kNoWatermark = std::numeric_limits<int64_t>::min();

  struct Input {
    int64_t watermark_ms = kNoWatermark;
    bool idle = false;
  };

  std::optional<int64_t> moveClock() {
    if (isIdle()) return std::nullopt;
    int64_t lowest_ms = std::numeric_limits<int64_t>::max();
    for (const Input& input : inputs_) {
      if (!input.idle) lowest_ms = std::min(lowest_ms, input.watermark_ms);
    }
    if (lowest_ms <= clock_ms_) return std::nullopt;
    clock_ms_ = lowest_ms;
    return clock_ms_;
  }

  std::array<Input, 2> inputs_;
  int64_t clock_ms_ = kNoWatermark;
};

}  // namespace wiesel::runtime
