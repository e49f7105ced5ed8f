#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace wiesel::runtime {

/// Combines the watermarks of a task's input channels into the task's event-time clock: the lowest
/// watermark of the channels that are active and have caught up with the clock.
///
/// Units:   event-time milliseconds since the epoch; kNoWatermark means "none seen yet".
/// Threads: not thread-safe; belongs to one task and is called from its mailbox thread.
/// Errors:  none. An unknown channel is a bug in the caller and aborts the process.
/// Promise: the values returned strictly increase, whatever the channels send.
/// Flink:   StatusWatermarkValve (1.20).
class WatermarkValve {
 public:
  static constexpr int64_t kNoWatermark = std::numeric_limits<int64_t>::min();

  /// All channels start active and without a watermark. Requires num_channels >= 1.
  explicit WatermarkValve(int num_channels);

  /// Takes a watermark from `channel`; returns the clock if that moved it, else nullopt. Ignored
  /// when the channel is idle or has already sent a watermark this high.
  std::optional<int64_t> onWatermark(int channel, int64_t watermark_ms);

  /// Stops waiting for `channel`; returns the clock if that moved it. Idempotent.
  std::optional<int64_t> onIdle(int channel);

  /// Waits for `channel` again, from the moment it has caught up with the clock. Idempotent.
  void onActive(int channel);

  /// True when every channel is idle: downstream must not wait for this task either.
  bool isIdle() const { return active_channels_ == 0; }

 private:
  struct Channel {
    int64_t watermark_ms = kNoWatermark;
    bool active = true;
    bool caught_up = true;  // Cleared by idleness, set again once watermark_ms >= clock_ms_.
  };

  Channel& channelAt(int index);
  std::optional<int64_t> moveClock(int64_t candidate_ms);
  int64_t lowestCaughtUp() const;
  int64_t highest() const;

  std::vector<Channel> channels_;
  int active_channels_;
  int64_t clock_ms_ = kNoWatermark;
};

}  // namespace wiesel::runtime
