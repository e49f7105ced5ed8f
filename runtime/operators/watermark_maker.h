#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/operators/operator_context.h"
#include "runtime/time/watermark_strategy.h"

namespace wiesel::runtime {

/// Notices that a source has been silent for longer than a time-out. Judged only when asked.
/// Flink: WatermarksWithIdleness.IdlenessTimer (1.20).
class IdlenessTimer {
 public:
  explicit IdlenessTimer(int64_t timeout_ms) : timeout_ms_(timeout_ms) {}

  void onActivity() { active_since_check_ = true; }

  bool checkIfIdle(int64_t now_ms) {
    if (active_since_check_) {
      active_since_check_ = false;
      silent_since_ms_.reset();
      return false;
    }
    if (!silent_since_ms_) {
      silent_since_ms_ = now_ms;
      return false;
    }
    return now_ms - *silent_since_ms_ > timeout_ms_;
  }

 private:
  const int64_t timeout_ms_;
  bool active_since_check_ = false;
  std::optional<int64_t> silent_since_ms_;
};

/// Follows a strategy for one stream of records: all that an operator gets, or one split of a
/// source.
///
/// Threads: the task thread only.
/// Errors:  what the strategy's functions throw.
/// Flink:   WatermarkStrategy.createWatermarkGenerator, WatermarksWithIdleness (1.20).
template <class T>
class WatermarkMaker {
 public:
  /// Borrows `strategy`.
  explicit WatermarkMaker(const WatermarkStrategy<T>& strategy)
      : strategy_(strategy), generator_(strategy.createGenerator()) {
    if (strategy.idleTimeoutMs()) idleness_.emplace(*strategy.idleTimeoutMs());
  }

  /// The timestamp of a record that has `timestamp_ms`, or the smallest int64_t, so far.
  int64_t timestampOf(const T& record, int64_t timestamp_ms) const {
    const auto& assigner = strategy_.timestampAssigner();
    return assigner ? assigner(record, timestamp_ms) : timestamp_ms;
  }

  /// Shows a record to the generator.
  void onRecord(const T& record, int64_t timestamp_ms, WatermarkOutput& output) {
    if (idleness_) idleness_->onActivity();
    generator_->onEvent(record, timestamp_ms, output);
  }

  /// To be called every auto-watermark interval.
  void onPeriodicEmit(int64_t now_ms, WatermarkOutput& output) {
    if (idleness_ && idleness_->checkIfIdle(now_ms)) {
      output.markIdle();
    } else {
      generator_->onPeriodicEmit(output);
    }
  }

  /// To be called once, when no record will come any more.
  void onEnd(WatermarkOutput& output) { generator_->onPeriodicEmit(output); }

 private:
  const WatermarkStrategy<T>& strategy_;
  const std::unique_ptr<WatermarkGenerator<T>> generator_;
  std::optional<IdlenessTimer> idleness_;
};

/// Calls `emit` every auto-watermark interval, as long as the task's timers live.
/// Flink: ExecutionConfig.getAutoWatermarkInterval (1.20).
template <class Emit>
void emitPeriodically(const OperatorContext& context, Emit emit) {
  const int64_t interval_ms = context.auto_watermark_interval_ms;
  if (interval_ms <= 0) return;
  ProcessingTimeService& clock = *context.processing_time;
  clock.registerTimer(clock.currentTimeMs() + interval_ms, [&context, emit](int64_t) {
    emit();
    emitPeriodically(context, emit);
  });
}

}  // namespace wiesel::runtime
