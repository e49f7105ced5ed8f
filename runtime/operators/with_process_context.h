#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/process_context.h"
#include "runtime/operators/user_timers.h"
#include "runtime/operators/with_timers.h"

namespace wiesel::runtime {

/// Gives `Base`, an operator with keys K around a user function, timers that the function registers
/// itself. A class derived from it calls the function's onTimer().
/// Flink: KeyedProcessOperator, CoBroadcastWithKeyedOperator (1.20).
template <class Base, class K>
class WithUserTimers : public WithTimers<Base, K, VoidNamespace> {
 public:
  using WithTimers<Base, K, VoidNamespace>::WithTimers;

 protected:
  /// To be called in open().
  void openUserTimers() {
    this->openTimers("user-timers");
    user_timers_.emplace(this->timers());
    element_.timers = &*user_timers_;
    element_.output = &this->output_;
  }

  /// The timer is the element at hand.
  virtual void callOnTimer(int64_t timestamp_ms) = 0;

  CurrentElement element_;

 private:
  void onEventTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.setTimestamp(timer.timestamp_ms);
    call(timer.timestamp_ms, TimeDomain::EVENT_TIME);
  }

  void onProcessingTime(const Timer<K, VoidNamespace>& timer) override {
    this->output_.eraseTimestamp();
    this->guarded([&] { call(timer.timestamp_ms, TimeDomain::PROCESSING_TIME); });
    this->output_.flushRecords();
  }

  void call(int64_t timestamp_ms, TimeDomain domain) {
    element_.timestamp_ms = timestamp_ms;
    element_.domain = domain;
    callOnTimer(timestamp_ms);
  }

  std::optional<UserTimers<K>> user_timers_;  // Set from openUserTimers() on.
};

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
    element_.setTo(batch, index);
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
class WithKeyedProcessContext : public WithUserTimers<Base, K> {
 public:
  using WithUserTimers<Base, K>::WithUserTimers;

  void open() override {
    this->openUserTimers();
    if constexpr (std::is_constructible_v<Context, const CurrentElement&>) {
      context_.emplace(this->element_);
    } else {
      context_.emplace(this->element_, this->backend());
    }
    WithUserTimers<Base, K>::open();
  }

 protected:
  /// The context for a record of the batch.
  template <class In>
  typename F::Context& contextOf(const Batch<In>& batch, size_t index) {
    this->element_.setTo(batch, index);
    return *context_;
  }

 private:
  using Context = typename F::OnTimerContext;

  void callOnTimer(int64_t timestamp_ms) override {
    this->function_.onTimer(timestamp_ms, *context_, this->output_);
  }

  std::optional<Context> context_;  // Set from open() on.
};

}  // namespace wiesel::runtime
