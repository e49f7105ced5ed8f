#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/windowing/global_window.h"
#include "runtime/windowing/time_window.h"
#include "runtime/windowing/triggers.h"
#include "runtime/windowing/window_assigner.h"

// Windows that are the same for all records: tumbling, sliding, global. Spans are in milliseconds.
// Errors: std::invalid_argument for a size or slide that is not positive, or an offset that is not
//         smaller than it.

namespace wiesel {

/// Whether the windows of all subtasks begin at the same times. Flink: WindowStagger (1.20), which
/// has two more.
enum class WindowStagger : uint8_t { ALIGNED };

namespace internal {

inline constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

[[noreturn]] inline void failWithoutTimestamp() {
  throw std::runtime_error(
      "a record has no timestamp (event-time windows need one): call "
      "assignTimestampsAndWatermarks() on the stream before window()");
}

/// Throws unless `period_ms` is positive and larger than the distance of `offset_ms`.
inline void checkOffset(const char* assigner, const char* period_name, int64_t period_ms,
                        int64_t offset_ms) {
  const int64_t distance_ms = offset_ms < 0 ? -offset_ms : offset_ms;
  if (period_ms > 0 && distance_ms < period_ms) return;
  const std::string period(period_name);
  throw std::invalid_argument(std::string(assigner) + " need a " + period +
                              " above 0 and an offset smaller than the " + period + ", got " +
                              period + " " + std::to_string(period_ms) + " ms and offset " +
                              std::to_string(offset_ms) + " ms");
}

class TumblingWindows {
 public:
  TumblingWindows(const char* name, std::chrono::milliseconds size,
                  std::chrono::milliseconds offset)
      : name_(name), size_ms_(size.count()), offset_ms_(offset.count()) {
    checkOffset(name, "size", size_ms_, offset_ms_);
  }

  TimeWindow windowOf(int64_t timestamp_ms) const {
    const int64_t start_ms = TimeWindow::startOf(timestamp_ms, offset_ms_, size_ms_);
    return {start_ms, start_ms + size_ms_};
  }

  std::string toString() const { return std::string(name_) + "(" + std::to_string(size_ms_) + ")"; }

 private:
  const char* name_;
  int64_t size_ms_;
  int64_t offset_ms_;
};

class SlidingWindows {
 public:
  SlidingWindows(const char* name, std::chrono::milliseconds size, std::chrono::milliseconds slide,
                 std::chrono::milliseconds offset)
      : name_(name), size_ms_(size.count()), slide_ms_(slide.count()), offset_ms_(offset.count()) {
    checkOffset(name, "slide", slide_ms_, offset_ms_);
    if (size_ms_ > 0) return;
    throw std::invalid_argument(std::string(name) + " need a size above 0, got " +
                                std::to_string(size_ms_) + " ms");
  }

  /// From the latest to the earliest.
  void appendWindowsOf(int64_t timestamp_ms, std::vector<TimeWindow>& windows) const {
    const int64_t last_ms = TimeWindow::startOf(timestamp_ms, offset_ms_, slide_ms_);
    for (int64_t start_ms = last_ms; start_ms > timestamp_ms - size_ms_; start_ms -= slide_ms_) {
      windows.push_back({start_ms, start_ms + size_ms_});
    }
  }

  std::string toString() const {
    return std::string(name_) + "(" + std::to_string(size_ms_) + ", " + std::to_string(slide_ms_) +
           ")";
  }

 private:
  const char* name_;
  int64_t size_ms_;
  int64_t slide_ms_;
  int64_t offset_ms_;
};

}  // namespace internal

/// Windows of one size that follow each other without gap, by event time.
/// Flink: TumblingEventTimeWindows (1.20).
class TumblingEventTimeWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = true;
  static constexpr bool kMerges = false;

  static TumblingEventTimeWindows of(std::chrono::milliseconds size,
                                     std::chrono::milliseconds offset = {},
                                     WindowStagger = WindowStagger::ALIGNED) {
    return TumblingEventTimeWindows({"TumblingEventTimeWindows", size, offset});
  }

  TimeWindow windowOf(int64_t timestamp_ms) const { return windows_.windowOf(timestamp_ms); }

  template <class T>
  void assignWindows(const T&, int64_t timestamp_ms, WindowAssignerContext&,
                     std::vector<TimeWindow>& windows) const {
    if (timestamp_ms == internal::kNoTimestamp) internal::failWithoutTimestamp();
    windows.push_back(windowOf(timestamp_ms));
  }
  EventTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return windows_.toString(); }

 private:
  explicit TumblingEventTimeWindows(internal::TumblingWindows windows) : windows_(windows) {}

  internal::TumblingWindows windows_;
};

/// Windows of one size that follow each other without gap, by the clock of the machine.
/// Flink: TumblingProcessingTimeWindows (1.20).
class TumblingProcessingTimeWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = false;
  static constexpr bool kMerges = false;

  static TumblingProcessingTimeWindows of(std::chrono::milliseconds size,
                                          std::chrono::milliseconds offset = {},
                                          WindowStagger = WindowStagger::ALIGNED) {
    return TumblingProcessingTimeWindows({"TumblingProcessingTimeWindows", size, offset});
  }

  template <class T>
  void assignWindows(const T&, int64_t, WindowAssignerContext& context,
                     std::vector<TimeWindow>& windows) const {
    windows.push_back(windows_.windowOf(context.getCurrentProcessingTime()));
  }
  ProcessingTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return windows_.toString(); }

 private:
  explicit TumblingProcessingTimeWindows(internal::TumblingWindows windows) : windows_(windows) {}

  internal::TumblingWindows windows_;
};

/// Windows of one size that begin every `slide` and so overlap, or have gaps, by event time.
/// Flink: SlidingEventTimeWindows (1.20).
class SlidingEventTimeWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = true;
  static constexpr bool kMerges = false;

  static SlidingEventTimeWindows of(std::chrono::milliseconds size, std::chrono::milliseconds slide,
                                    std::chrono::milliseconds offset = {}) {
    return SlidingEventTimeWindows({"SlidingEventTimeWindows", size, slide, offset});
  }

  template <class T>
  void assignWindows(const T&, int64_t timestamp_ms, WindowAssignerContext&,
                     std::vector<TimeWindow>& windows) const {
    if (timestamp_ms == internal::kNoTimestamp) internal::failWithoutTimestamp();
    windows_.appendWindowsOf(timestamp_ms, windows);
  }
  EventTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return windows_.toString(); }

 private:
  explicit SlidingEventTimeWindows(internal::SlidingWindows windows) : windows_(windows) {}

  internal::SlidingWindows windows_;
};

/// Windows of one size that begin every `slide`, by the clock of the machine.
/// Flink: SlidingProcessingTimeWindows (1.20).
class SlidingProcessingTimeWindows {
 public:
  using Window = TimeWindow;
  static constexpr bool kIsEventTime = false;
  static constexpr bool kMerges = false;

  static SlidingProcessingTimeWindows of(std::chrono::milliseconds size,
                                         std::chrono::milliseconds slide,
                                         std::chrono::milliseconds offset = {}) {
    return SlidingProcessingTimeWindows({"SlidingProcessingTimeWindows", size, slide, offset});
  }

  template <class T>
  void assignWindows(const T&, int64_t, WindowAssignerContext& context,
                     std::vector<TimeWindow>& windows) const {
    windows_.appendWindowsOf(context.getCurrentProcessingTime(), windows);
  }
  ProcessingTimeTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return windows_.toString(); }

 private:
  explicit SlidingProcessingTimeWindows(internal::SlidingWindows windows) : windows_(windows) {}

  internal::SlidingWindows windows_;
};

/// All records of a key in one window that never ends by itself: of use with a trigger.
/// Flink: GlobalWindows (1.20).
class GlobalWindows {
 public:
  using Window = GlobalWindow;
  static constexpr bool kIsEventTime = false;
  static constexpr bool kMerges = false;

  static GlobalWindows create() { return {}; }

  template <class T>
  void assignWindows(const T&, int64_t, WindowAssignerContext&,
                     std::vector<GlobalWindow>& windows) const {
    windows.push_back(GlobalWindow::get());
  }
  NeverTrigger getDefaultTrigger() const { return {}; }
  std::string toString() const { return "GlobalWindows()"; }
};

}  // namespace wiesel
