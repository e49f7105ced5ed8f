#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/process_context.h"
#include "runtime/operators/user_timers.h"
#include "runtime/operators/with_timers.h"

namespace wiesel::runtime {

/// Gives `Base`, an operator without keys around a process function F, the context that the
/// function is called with. Flink: ProcessOperator, CoProcessOperator (1.20).
template <class Base, class F>
class WithProcessContext : public Base {
 public:
  using Base::Base;

  void open() override {
    clocks_.emplace(this->context());
    element_.timers = &*clocks_;
    element_.output = &this->output_;
    Base::open();
  }

  void processWatermark(int64_t watermark_ms) override {
    clocks_->setWatermark(watermark_ms);
    this->passWatermarkOn(watermark_ms);
  }

 protected:
  /// The context for a record of the batch.
  template <class In>
  typename F::Context& contextOf(const Batch<In>& batch, size_t index) {
    element_.timestamp_ms =
        batch.has_timestamps ? std::optional(batch.timestamps_ms[index]) : std::nullopt;
    return context_;
  }

 private:
  CurrentElement element_;
  typename F::Context context_{element_};
  std::optional<ClocksWithoutTimers> clocks_;  // Set from open() on.
};

/// The same for an operator with keys K, whose function's onTimer() it calls.
/// Flink: KeyedProcessOperator, KeyedCoProcessOperator and, for functions that do not ask for the
///        key, LegacyKeyedProcessOperator, LegacyKeyedCoProcessOperator (1.20).
template <class Base, class K, class F>
class WithKeyedProcessContext : public WithTimers<Base, K, VoidNamespace> {
  using WithBase = WithTimers<Base, K, VoidNamespace>;

 public:
  using WithBase::WithBase;

  void open() override {
    this->openTimers("user-timers");
    user_timers_.emplace(this->timers());
    element_.timers = &*user_timers_;
    element_.output = &this->output_;
    if constexpr (std::is_constructible_v<Context, const CurrentElement&>) {
      context_.emplace(element_);
    } else {
      context_.emplace(element_, this->backend());
    }
    WithBase::open();
  }

 protected:
  /// The context for a record of the batch.
  template <class In>
  typename F::Context& contextOf(const Batch<In>& batch, size_t index) {
    element_.timestamp_ms =
        batch.has_timestamps ? std::optional(batch.timestamps_ms[index]) : std::nullopt;
    return *context_;
  }

 private:
  using Context = typename F::OnTimerContext;

  void onEventTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.setTimestamp(timer.timestamp_ms);
    callOnTimer(timer.timestamp_ms, TimeDomain::EVENT_TIME);
  }

  void onProcessingTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.eraseTimestamp();
    this->guarded([&] { callOnTimer(timer.timestamp_ms, TimeDomain::PROCESSING_TIME); });
    this->output_.flushRecords();
  }

  void callOnTimer(int64_t timestamp_ms, TimeDomain domain) {
    element_.timestamp_ms = timestamp_ms;
    element_.domain = domain;
    this->function_.onTimer(timestamp_ms, *context_, this->output_);
  }

  CurrentElement element_;
  std::optional<UserTimers<K>> user_timers_;  // Set from open() on, as below.
  std::optional<Context> context_;
};

}  // namespace wiesel::runtime
