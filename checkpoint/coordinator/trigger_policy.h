#pragma once

#include <cstdint>
#include <optional>

namespace wiesel::checkpoint {

/// Decides when a checkpoint begins: at a fixed rate, never more at once than allowed, and not
/// sooner after the last completed one than the pause.
///
/// A tick that the concurrency holds back is kept, one of them, and starts as soon as it may. One
/// that the pause holds back moves the whole rate to the end of the pause.
///
/// Units:   milliseconds of a monotonic clock.
/// Threads: not thread-safe; belongs to the coordinator.
/// Flink:   CheckpointRequestDecider and the periodic trigger of CheckpointCoordinator (1.20).
/// Flink
///          queues every tick that is held back, up to 1000; the effect differs only for
///          checkpoints that take many intervals.
class TriggerPolicy {
 public:
  /// Requires interval_ms >= 1, min_pause_ms >= 0 and max_concurrent >= 1. An interval below the
  /// pause is raised to it, as in Flink.
  TriggerPolicy(int64_t interval_ms, int64_t min_pause_ms, int max_concurrent);

  /// Begins to tick; the first tick is `first_delay_ms` from now.
  void start(int64_t now_ms, int64_t first_delay_ms);

  /// Forgets ticks and wishes; keeps the time of the last completion.
  void stop();

  /// Wants one checkpoint as soon as the concurrency allows, without interval and pause.
  void wish() { wished_ = true; }
  void dropWish() { wished_ = false; }

  void onCompleted(int64_t now_ms) { last_completed_ms_ = now_ms; }

  /// True when a checkpoint has to begin now; `in_progress` others are under way. Call it when a
  /// tick is due and whenever a checkpoint ends.
  bool shouldBegin(int64_t now_ms, int in_progress);

  /// When the next tick is due; nullopt when stopped.
  std::optional<int64_t> nextTickMs() const { return next_tick_ms_; }

  int64_t intervalMs() const { return interval_ms_; }

 private:
  const int64_t interval_ms_;
  const int64_t min_pause_ms_;
  const int max_concurrent_;
  std::optional<int64_t> next_tick_ms_;
  std::optional<int64_t> last_completed_ms_;
  bool held_back_ = false;  // A tick is over that the concurrency did not allow.
  bool wished_ = false;
};

}  // namespace wiesel::checkpoint
