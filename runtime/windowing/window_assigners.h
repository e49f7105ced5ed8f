#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "runtime/windowing/time_window.h"

namespace wiesel {

/// Windows of one size that follow each other without gap, by event time.
/// Errors: std::invalid_argument for a size that is not positive or an offset not smaller than it.
/// Flink:  TumblingEventTimeWindows (1.20).
class TumblingEventTimeWindows {
 public:
  static TumblingEventTimeWindows of(std::chrono::milliseconds size,
                                     std::chrono::milliseconds offset = {}) {
    return TumblingEventTimeWindows(size.count(), offset.count());
  }

  TimeWindow windowOf(int64_t timestamp_ms) const {
    const int64_t start_ms = TimeWindow::startOf(timestamp_ms, offset_ms_, size_ms_);
    return {start_ms, start_ms + size_ms_};
  }

  std::string toString() const {
    return "TumblingEventTimeWindows(" + std::to_string(size_ms_) + ")";
  }

 private:
  TumblingEventTimeWindows(int64_t size_ms, int64_t offset_ms)
      : size_ms_(size_ms), offset_ms_(offset_ms) {
    const int64_t distance_ms = offset_ms < 0 ? -offset_ms : offset_ms;
    if (size_ms <= 0 || distance_ms >= size_ms) {
      throw std::invalid_argument(
          "TumblingEventTimeWindows need a size above 0 and an offset smaller than the size, got "
          "size " +
          std::to_string(size_ms) + " ms and offset " + std::to_string(offset_ms) + " ms");
    }
  }

  int64_t size_ms_;
  int64_t offset_ms_;
};

}  // namespace wiesel
