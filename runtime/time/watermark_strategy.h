#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace wiesel {

/// Where a watermark generator puts its watermarks. Flink: WatermarkOutput (1.20).
class WatermarkOutput {
 public:
  virtual ~WatermarkOutput() = default;
  /// Ignored unless larger than the last one.
  virtual void emitWatermark(int64_t watermark_ms) = 0;
  virtual void markIdle() = 0;
  virtual void markActive() = 0;
};

/// Makes watermarks out of the events of one source. One object a subtask.
/// Units: event time in milliseconds since the epoch. Flink: WatermarkGenerator (1.20).
template <class T>
class WatermarkGenerator {
 public:
  virtual ~WatermarkGenerator() = default;
  virtual void onEvent(const T& event, int64_t timestamp_ms, WatermarkOutput& output) = 0;
  /// Every `pipeline.auto-watermark-interval` (200 ms).
  virtual void onPeriodicEmit(WatermarkOutput& output) = 0;
};

/// Watermark = highest timestamp - delay - 1. Flink: BoundedOutOfOrdernessWatermarks (1.20).
template <class T>
class BoundedOutOfOrdernessWatermarks final : public WatermarkGenerator<T> {
 public:
  explicit BoundedOutOfOrdernessWatermarks(std::chrono::milliseconds delay)
      : delay_ms_(delay.count()),
        highest_ms_(std::numeric_limits<int64_t>::min() + delay_ms_ + 1) {}

  void onEvent(const T&, int64_t timestamp_ms, WatermarkOutput&) override {
    highest_ms_ = std::max(highest_ms_, timestamp_ms);
  }
  void onPeriodicEmit(WatermarkOutput& output) override {
    output.emitWatermark(highest_ms_ - delay_ms_ - 1);
  }

 private:
  const int64_t delay_ms_;
  int64_t highest_ms_;
};

/// Watermarks as the old BoundedOutOfOrdernessTimestampExtractor makes them: highest timestamp -
/// delay, one more than the newer strategy's. Flink: AssignerWithPeriodicWatermarksAdapter (1.20).
template <class T>
class LegacyBoundedOutOfOrdernessWatermarks final : public WatermarkGenerator<T> {
 public:
  explicit LegacyBoundedOutOfOrdernessWatermarks(std::chrono::milliseconds delay)
      : delay_ms_(delay.count()), highest_ms_(std::numeric_limits<int64_t>::min() + delay_ms_) {}

  void onEvent(const T&, int64_t timestamp_ms, WatermarkOutput&) override {
    highest_ms_ = std::max(highest_ms_, timestamp_ms);
  }
  void onPeriodicEmit(WatermarkOutput& output) override {
    output.emitWatermark(highest_ms_ - delay_ms_);
  }

 private:
  const int64_t delay_ms_;
  int64_t highest_ms_;
};

/// No watermarks at all. Flink: NoWatermarksGenerator (1.20).
template <class T>
class NoWatermarks final : public WatermarkGenerator<T> {
 public:
  void onEvent(const T&, int64_t, WatermarkOutput&) override {}
  void onPeriodicEmit(WatermarkOutput&) override {}
};

/// How a stream gets its timestamps and watermarks: a generator, an assigner of timestamps and an
/// idleness time-out, put together by calls that each return a changed copy.
/// Flink: WatermarkStrategy (1.20).
template <class T>
class WatermarkStrategy {
 public:
  using GeneratorFactory = std::function<std::unique_ptr<WatermarkGenerator<T>>()>;
  /// Gives the timestamp of a record; the second argument is the one that it has, or the smallest
  /// int64_t.
  using TimestampAssigner = std::function<int64_t(const T&, int64_t)>;

  /// Throws std::invalid_argument for a negative delay.
  static WatermarkStrategy forBoundedOutOfOrderness(std::chrono::milliseconds delay) {
    if (delay.count() < 0) {
      throw std::invalid_argument(
          "forBoundedOutOfOrderness() needs a delay of at least 0 ms, got " +
          std::to_string(delay.count()) + " ms");
    }
    return forGenerator(
        [delay] { return std::make_unique<BoundedOutOfOrdernessWatermarks<T>>(delay); });
  }
  static WatermarkStrategy forMonotonousTimestamps() {
    return forBoundedOutOfOrderness(std::chrono::milliseconds(0));
  }
  static WatermarkStrategy noWatermarks() {
    return forGenerator([] { return std::make_unique<NoWatermarks<T>>(); });
  }
  static WatermarkStrategy forGenerator(GeneratorFactory factory) {
    WatermarkStrategy strategy;
    strategy.generator_ = std::move(factory);
    return strategy;
  }

  WatermarkStrategy withTimestampAssigner(TimestampAssigner assigner) const {
    WatermarkStrategy changed = *this;
    changed.assigner_ = std::move(assigner);
    return changed;
  }
  /// A source without records for `timeout` no longer holds others back. Throws
  /// std::invalid_argument unless it is above 0.
  WatermarkStrategy withIdleness(std::chrono::milliseconds timeout) const {
    if (timeout.count() <= 0) {
      throw std::invalid_argument("withIdleness() needs a timeout above 0 ms, got " +
                                  std::to_string(timeout.count()) + " ms");
    }
    WatermarkStrategy changed = *this;
    changed.idle_timeout_ms_ = timeout.count();
    return changed;
  }

  std::unique_ptr<WatermarkGenerator<T>> createGenerator() const { return generator_(); }
  /// Empty: records keep the timestamps they have.
  const TimestampAssigner& timestampAssigner() const { return assigner_; }
  std::optional<int64_t> idleTimeoutMs() const { return idle_timeout_ms_; }

 private:
  WatermarkStrategy() = default;

  GeneratorFactory generator_;
  TimestampAssigner assigner_;
  std::optional<int64_t> idle_timeout_ms_;
};

/// The old way to say timestamps and watermarks at once: derive and give each record its timestamp.
/// Flink: BoundedOutOfOrdernessTimestampExtractor (1.20), deprecated there, used by many programs.
template <class T>
class BoundedOutOfOrdernessTimestampExtractor {
 public:
  explicit BoundedOutOfOrdernessTimestampExtractor(std::chrono::milliseconds max_out_of_orderness)
      : max_out_of_orderness_(max_out_of_orderness) {}
  virtual ~BoundedOutOfOrdernessTimestampExtractor() = default;

  virtual int64_t extractTimestamp(const T& element) const = 0;

  std::chrono::milliseconds maxOutOfOrderness() const { return max_out_of_orderness_; }

 private:
  std::chrono::milliseconds max_out_of_orderness_;
};

}  // namespace wiesel
