#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "runtime/connector_api/source.h"
#include "runtime/operators/output.h"
#include "runtime/operators/watermark_emitter.h"
#include "runtime/operators/watermark_maker.h"
#include "runtime/time/watermark_strategy.h"

namespace wiesel::runtime {

/// Gives the records of a source subtask their timestamps, and makes one watermark of those of its
/// splits: the lowest of the splits that are not idle. When the last of them goes idle it is the
/// highest of all, since nobody is left to wait for.
///
/// Records without a split count as one more; so does a subtask that has no split, unless its
/// reader says that it reads splits: that one is idle.
///
/// Threads: the task thread only.
/// Errors:  what the strategy's functions throw.
/// Flink:   ProgressiveTimestampsAndWatermarks, WatermarkOutputMultiplexer (1.20). There the
///          highest watermark does not come free when all splits have gone idle.
template <class T>
class SourceWatermarks final : public ReaderOutput<T> {
 public:
  /// Borrows both.
  SourceWatermarks(const WatermarkStrategy<T>& strategy, Output<T>& output)
      : strategy_(strategy),
        output_(output),
        emitter_(output),
        main_(std::make_unique<Part>(*this)) {}

  void collect(T value) override { main().collect(std::move(value)); }
  void collectWithTimestamp(T value, int64_t timestamp_ms) override {
    main().collectWithTimestamp(std::move(value), timestamp_ms);
  }

  SourceOutput<T>& createOutputForSplit(const std::string& split) override {
    std::unique_ptr<Part>& part = splits_[split];
    if (part) return *part;
    part = std::make_unique<Part>(*this);
    dropUnusedMain();
    combine();
    return *part;
  }
  void releaseOutputForSplit(const std::string& split) override {
    splits_.erase(split);
    combine();
  }

  /// The reader has been polled; `reads_splits` is what it says of itself.
  void afterPoll(bool reads_splits) {
    if (!reads_splits || reads_splits_) return;
    reads_splits_ = true;
    dropUnusedMain();
    combine();
  }

  /// To be called every auto-watermark interval.
  void onPeriodicEmit(int64_t now_ms) {
    forEachPart([now_ms](Part& part) { part.onPeriodicEmit(now_ms); });
    combine();
  }

 private:
  /// The records without a split, or those of one split.
  class Part final : public SourceOutput<T>, private WatermarkOutput {
   public:
    explicit Part(SourceWatermarks& owner) : owner_(owner), maker_(owner.strategy_) {}

    void collect(T value) override { put(std::move(value), kNone); }
    void collectWithTimestamp(T value, int64_t timestamp_ms) override {
      put(std::move(value), timestamp_ms);
    }
    void onPeriodicEmit(int64_t now_ms) { maker_.onPeriodicEmit(now_ms, *this); }

    int64_t watermarkMs() const { return watermark_ms_; }
    bool isIdle() const { return is_idle_; }
    bool hasRecords() const { return has_records_; }

   private:
    void put(T value, int64_t timestamp_ms) {
      has_records_ = true;
      timestamp_ms = maker_.timestampOf(value, timestamp_ms);
      owner_.output_.setTimestamp(timestamp_ms);
      // The generator sees the record first, but its watermark must leave after the record.
      maker_.onRecord(value, timestamp_ms, *this);
      owner_.output_.collect(std::move(value));
      if (std::exchange(has_changed_, false)) owner_.combine();
    }

    void emitWatermark(int64_t watermark_ms) override {
      watermark_ms_ = std::max(watermark_ms_, watermark_ms);
      setIdle(false);
    }
    void markIdle() override { setIdle(true); }
    void markActive() override { setIdle(false); }

    void setIdle(bool idle) {
      is_idle_ = idle;
      has_changed_ = true;
    }

    SourceWatermarks& owner_;
    WatermarkMaker<T> maker_;
    int64_t watermark_ms_ = kNone;
    bool is_idle_ = false;
    bool has_changed_ = false;
    bool has_records_ = false;
  };

  static constexpr int64_t kNone = WatermarkEmitter::kNoWatermark;

  Part& main() {
    if (!main_) main_ = std::make_unique<Part>(*this);
    return *main_;
  }

  void dropUnusedMain() {
    if (main_ && !main_->hasRecords()) main_.reset();
  }

  template <class F>
  void forEachPart(F f) const {
    if (main_) f(*main_);
    for (const auto& [split, part] : splits_) f(*part);
  }

  void combine() {
    bool is_idle = true;
    int64_t lowest_ms = std::numeric_limits<int64_t>::max();
    int64_t highest_ms = kNone;
    forEachPart([&](const Part& part) {
      highest_ms = std::max(highest_ms, part.watermarkMs());
      if (part.isIdle()) return;
      is_idle = false;
      lowest_ms = std::min(lowest_ms, part.watermarkMs());
    });
    if (!is_idle) emitter_.setIdle(false);
    emitter_.emitWatermark(is_idle ? highest_ms : lowest_ms);
    if (is_idle) emitter_.setIdle(true);
  }

  const WatermarkStrategy<T>& strategy_;
  Output<T>& output_;
  WatermarkEmitter emitter_;
  bool reads_splits_ = false;
  std::unique_ptr<Part> main_;  // Null while all records come by splits.
  std::map<std::string, std::unique_ptr<Part>> splits_;
};

}  // namespace wiesel::runtime
