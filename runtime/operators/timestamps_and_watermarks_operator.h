#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "runtime/operators/stream_operator.h"
#include "runtime/operators/watermark_emitter.h"
#include "runtime/operators/watermark_maker.h"
#include "runtime/time/watermark_strategy.h"

namespace wiesel::runtime {

/// Gives records their timestamps and makes watermarks from them. Watermarks from upstream end
/// here, but for the last one. Flink: TimestampsAndWatermarksOperator (1.20).
template <class T>
class TimestampsAndWatermarksOperator final : public OneInputOperator<T, T>,
                                              private WatermarkOutput {
 public:
  explicit TimestampsAndWatermarksOperator(WatermarkStrategy<T> strategy)
      : strategy_(std::move(strategy)) {}

  void open() override {
    this->guarded([this] { maker_.emplace(strategy_); });
    emitPeriodically(this->context(), [this] { probe(); });
  }

  void process(Batch<T>& batch) override {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        const int64_t timestamp_ms = maker_->timestampOf(
            batch.values[i], batch.has_timestamps ? batch.timestamps_ms[i] : kNone);
        this->output_.setTimestamp(timestamp_ms);
        // The generator sees the record first, but its watermark must leave after the record.
        holds_back_ = true;
        maker_->onRecord(batch.values[i], timestamp_ms, *this);
        holds_back_ = false;
        this->output_.collect(std::move(batch.values[i]));
        if (has_held_back_) releaseHeldBack();
      }
    });
    this->output_.flushRecords();
  }

  /// The end of the input is the only thing that upstream knows better.
  void processWatermark(int64_t watermark_ms) override {
    if (watermark_ms != std::numeric_limits<int64_t>::max()) return;
    emitWatermark(watermark_ms);
  }
  void processWatermarkStatus(bool) override {}

  void finish() override {
    this->guarded([this] { maker_->onEnd(*this); });
  }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();

  void probe() {
    this->guarded([this] {
      maker_->onPeriodicEmit(this->context().processing_time->currentTimeMs(), *this);
    });
  }

  void emitWatermark(int64_t watermark_ms) override {
    if (!holds_back_) return emitter_.emitWatermark(watermark_ms);
    held_back_watermark_ms_ = std::max(held_back_watermark_ms_, watermark_ms);
    has_held_back_ = true;
  }
  void markIdle() override { setIdle(true); }
  void markActive() override { setIdle(false); }

  void setIdle(bool idle) {
    if (!holds_back_) return emitter_.setIdle(idle);
    held_back_idle_ = idle;
    has_held_back_ = true;
  }

  void releaseHeldBack() {
    has_held_back_ = false;
    if (held_back_idle_) emitter_.setIdle(*std::exchange(held_back_idle_, std::nullopt));
    emitter_.emitWatermark(std::exchange(held_back_watermark_ms_, kNone));
  }

  const WatermarkStrategy<T> strategy_;
  std::optional<WatermarkMaker<T>> maker_;  // Set from open() on.
  WatermarkEmitter emitter_{this->output_};
  bool holds_back_ = false;  // While the generator looks at a record.
  bool has_held_back_ = false;
  int64_t held_back_watermark_ms_ = kNone;
  std::optional<bool> held_back_idle_;
};

}  // namespace wiesel::runtime
