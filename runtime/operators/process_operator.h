#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/process_function.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/with_timers.h"

namespace wiesel::runtime {

/// Calls a ProcessFunction. Flink: ProcessOperator (1.20).
template <class In, class Out, class F>
class ProcessOperator final : public FunctionOperator<In, Out, F>,
                              private ProcessFunction<In, Out>::Context,
                              private TimerService {
 public:
  using FunctionOperator<In, Out, F>::FunctionOperator;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      timestamp_ms_ = batch.has_timestamps ? std::optional(batch.timestamps_ms[i]) : std::nullopt;
      this->function_.processElement(batch.values[i], *this, this->output_);
    });
  }

  void processWatermark(int64_t watermark_ms) override {
    watermark_ms_ = watermark_ms;
    this->passWatermarkOn(watermark_ms);
  }

 private:
  std::optional<int64_t> timestamp() const override { return timestamp_ms_; }
  TimerService& timerService() override { return *this; }
  int64_t currentProcessingTime() const override {
    return this->context().processing_time->currentTimeMs();
  }
  int64_t currentWatermark() const override { return watermark_ms_; }
  void registerEventTimeTimer(int64_t) override { refuse(); }
  void registerProcessingTimeTimer(int64_t) override { refuse(); }
  void deleteEventTimeTimer(int64_t) override { refuse(); }
  void deleteProcessingTimeTimer(int64_t) override { refuse(); }

  [[noreturn]] static void refuse() {
    throw std::logic_error("timers need a keyed stream: call keyBy() before process()");
  }

  std::optional<int64_t> timestamp_ms_;
  int64_t watermark_ms_ = std::numeric_limits<int64_t>::min();
};

/// Calls a KeyedProcessFunction and its timers. Flink: KeyedProcessOperator (1.20).
template <class In, class Out, class K, class KeySelector, class F>
class KeyedProcessOperator final
    : public WithTimers<Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>, K, VoidNamespace>,
      private KeyedProcessFunction<K, In, Out>::OnTimerContext,
      private TimerService {
 public:
  using Base =
      WithTimers<Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>, K, VoidNamespace>;
  using Base::Base;

  void open() override {
    this->openTimers("user-timers");
    Base::open();
  }

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      timestamp_ms_ = batch.has_timestamps ? std::optional(batch.timestamps_ms[i]) : std::nullopt;
      this->function_.processElement(batch.values[i], *this, this->output_);
    });
  }

 private:
  void onEventTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.setTimestamp(timer.timestamp_ms);
    callOnTimer(timer, TimeDomain::EVENT_TIME);
  }

  void onProcessingTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.eraseTimestamp();
    this->guarded([&] { callOnTimer(timer, TimeDomain::PROCESSING_TIME); });
    this->output_.flushRecords();
  }

  void callOnTimer(const Timer<K, VoidNamespace>& timer, TimeDomain domain) {
    timestamp_ms_ = timer.timestamp_ms;
    domain_ = domain;
    this->function_.onTimer(timer.timestamp_ms, *this, this->output_);
  }

  const K& getCurrentKey() const override { return this->backend().currentKey(); }
  std::optional<int64_t> timestamp() const override { return timestamp_ms_; }
  TimerService& timerService() override { return *this; }
  TimeDomain timeDomain() const override { return domain_; }

  int64_t currentProcessingTime() const override { return this->timers().currentProcessingTime(); }
  int64_t currentWatermark() const override { return this->timers().currentWatermark(); }
  void registerEventTimeTimer(int64_t t) override { this->timers().registerEventTimeTimer({}, t); }
  void registerProcessingTimeTimer(int64_t t) override {
    this->timers().registerProcessingTimeTimer({}, t);
  }
  void deleteEventTimeTimer(int64_t t) override { this->timers().deleteEventTimeTimer({}, t); }
  void deleteProcessingTimeTimer(int64_t t) override {
    this->timers().deleteProcessingTimeTimer({}, t);
  }

  std::optional<int64_t> timestamp_ms_;
  TimeDomain domain_ = TimeDomain::EVENT_TIME;
};

}  // namespace wiesel::runtime
