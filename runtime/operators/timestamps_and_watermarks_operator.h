#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/operators/stream_operator.h"
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

/// Gives records their timestamps and makes watermarks from them. Watermarks from upstream end
/// here, but for the last one. Flink: TimestampsAndWatermarksOperator, WatermarksWithIdleness
/// (1.20).
template <class T>
class TimestampsAndWatermarksOperator final : public OneInputOperator<T, T>,
                                              private WatermarkOutput {
 public:
  explicit TimestampsAndWatermarksOperator(WatermarkStrategy<T> strategy)
      : strategy_(std::move(strategy)) {}

  void open() override {
    this->guarded([this] { generator_ = strategy_.createGenerator(); });
    if (strategy_.idleTimeoutMs()) idleness_.emplace(*strategy_.idleTimeoutMs());
    scheduleProbe();
  }

  void process(Batch<T>& batch) override {
    const auto& assigner = strategy_.timestampAssigner();
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        int64_t timestamp_ms = batch.has_timestamps ? batch.timestamps_ms[i] : kNoTimestamp;
        if (assigner) timestamp_ms = assigner(batch.values[i], timestamp_ms);
        this->output_.setTimestamp(timestamp_ms);
        // The generator sees the record first, but its watermark must leave after the record.
        holds_back_ = true;
        generator_->onEvent(batch.values[i], timestamp_ms, *this);
        holds_back_ = false;
        this->output_.collect(std::move(batch.values[i]));
        if (has_held_back_) releaseHeldBack();
      }
    });
    if (idleness_) idleness_->onActivity();
    this->output_.flushRecords();
  }

  /// The end of the input is the only thing that upstream knows better.
  void processWatermark(int64_t watermark_ms) override {
    if (watermark_ms != std::numeric_limits<int64_t>::max()) return;
    emitWatermark(watermark_ms);
  }
  void processWatermarkStatus(bool) override {}

  void finish() override {
    this->guarded([this] { generator_->onPeriodicEmit(*this); });
  }

 private:
  static constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

  void scheduleProbe() {
    const int64_t interval_ms = this->context().auto_watermark_interval_ms;
    if (interval_ms <= 0) return;
    ProcessingTimeService& clock = *this->context().processing_time;
    clock.registerTimer(clock.currentTimeMs() + interval_ms, [this](int64_t) {
      probe();
      scheduleProbe();
    });
  }

  void probe() {
    if (idleness_ && idleness_->checkIfIdle(this->context().processing_time->currentTimeMs())) {
      markIdle();
      return;
    }
    this->guarded([this] { generator_->onPeriodicEmit(*this); });
  }

  void emitWatermark(int64_t watermark_ms) override {
    if (watermark_ms <= last_watermark_ms_) return;
    if (holds_back_) {
      held_back_watermark_ms_ = std::max(held_back_watermark_ms_, watermark_ms);
      has_held_back_ = true;
      return;
    }
    last_watermark_ms_ = watermark_ms;
    markActive();
    this->output_.emitWatermark(watermark_ms);
  }

  void markIdle() override { setIdle(true); }
  void markActive() override { setIdle(false); }

  void setIdle(bool idle) {
    if (holds_back_) {
      held_back_idle_ = idle;
      has_held_back_ = true;
      return;
    }
    if (idle == idle_) return;
    idle_ = idle;
    this->output_.emitWatermarkStatus(idle);
  }

  void releaseHeldBack() {
    has_held_back_ = false;
    if (held_back_idle_) setIdle(*std::exchange(held_back_idle_, std::nullopt));
    emitWatermark(std::exchange(held_back_watermark_ms_, kNoTimestamp));
  }

  const WatermarkStrategy<T> strategy_;
  std::unique_ptr<WatermarkGenerator<T>> generator_;
  std::optional<IdlenessTimer> idleness_;
  int64_t last_watermark_ms_ = std::numeric_limits<int64_t>::min();
  bool idle_ = false;
  bool holds_back_ = false;  // While the generator looks at a record.
  bool has_held_back_ = false;
  int64_t held_back_watermark_ms_ = kNoTimestamp;
  std::optional<bool> held_back_idle_;
};

}  // namespace wiesel::runtime
