#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/broadcast_process_function.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/two_input_operator.h"
#include "runtime/operators/user_timers.h"
#include "runtime/operators/with_function.h"
#include "runtime/operators/with_timers.h"

namespace wiesel::runtime {

/// Makes `element` the record of the batch.
template <class In>
void setCurrent(CurrentElement& element, const Batch<In>& batch, size_t index) {
  element.timestamp_ms =
      batch.has_timestamps ? std::optional(batch.timestamps_ms[index]) : std::nullopt;
}

/// Calls a BroadcastProcessFunction. Flink: CoBroadcastWithNonKeyedOperator (1.20).
template <class In, class Broadcast, class Out, class F>
class BroadcastProcessOperator final
    : public WithFunction<TwoInputOperator<In, Broadcast, Out>, F> {
  using Base = WithFunction<TwoInputOperator<In, Broadcast, Out>, F>;

 public:
  BroadcastProcessOperator(F function, BroadcastStates states)
      : Base(std::move(function)), states_(std::move(states)) {}

  void open() override {
    states_.open(*this->context().operator_state);
    clocks_.emplace(this->context());
    element_.timers = &*clocks_;
    element_.output = &this->output_;
    Base::open();
  }

 protected:
  void process1(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      setCurrent(element_, batch, i);
      this->function_.processElement(batch.values[i], read_only_context_, this->output_);
    });
  }

  void process2(Batch<Broadcast>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      setCurrent(element_, batch, i);
      this->function_.processBroadcastElement(batch.values[i], context_, this->output_);
    });
  }

  void processWatermark(int64_t watermark_ms) override {
    clocks_->setWatermark(watermark_ms);
    this->passWatermarkOn(watermark_ms);
  }

 private:
  BroadcastStates states_;
  CurrentElement element_;
  ReadOnlyBroadcastContext read_only_context_{element_, states_};
  BroadcastContext context_{element_, states_};
  std::optional<ClocksWithoutTimers> clocks_;  // Set from open() on.
};

template <class In, class Broadcast, class Out, class K, class KeySelector, class F>
using KeyedBroadcastBase =
    WithTimers<Keyed<WithFunction<TwoInputOperator<In, Broadcast, Out>, F>, In, K, KeySelector>, K,
               VoidNamespace>;

/// Calls a KeyedBroadcastProcessFunction and its timers.
/// Flink: CoBroadcastWithKeyedOperator (1.20).
template <class In, class Broadcast, class Out, class K, class KeySelector, class F>
class KeyedBroadcastProcessOperator final
    : public KeyedBroadcastBase<In, Broadcast, Out, K, KeySelector, F> {
  using Base = KeyedBroadcastBase<In, Broadcast, Out, K, KeySelector, F>;

 public:
  KeyedBroadcastProcessOperator(KeySelector key_selector, F function, BroadcastStates states)
      : Base(std::move(key_selector), std::move(function)), states_(std::move(states)) {}

  void open() override {
    states_.open(*this->context().operator_state);
    this->openTimers("user-timers");
    user_timers_.emplace(this->timers());
    element_.timers = &*user_timers_;
    element_.output = &this->output_;
    read_only_context_.emplace(element_, states_, this->backend());
    Base::open();
    context_.emplace(element_, states_, this->backend(), this->function_.getRuntimeContext());
  }

 protected:
  void process1(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      setCurrent(element_, batch, i);
      this->function_.processElement(batch.values[i], *read_only_context_, this->output_);
    });
  }

  void process2(Batch<Broadcast>& batch) override {
    this->backend().clearCurrentKey();
    this->forEachRecord(batch, [&](size_t i) {
      setCurrent(element_, batch, i);
      this->function_.processBroadcastElement(batch.values[i], *context_, this->output_);
    });
  }

 private:
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
    this->function_.onTimer(timestamp_ms, *read_only_context_, this->output_);
  }

  BroadcastStates states_;
  CurrentElement element_;
  std::optional<UserTimers<K>> user_timers_;  // Set from open() on, as the next.
  std::optional<typename F::OnTimerContext> read_only_context_;
  std::optional<typename F::Context> context_;
};

}  // namespace wiesel::runtime
