#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/functions/broadcast_process_function.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/two_input_operator.h"
#include "runtime/operators/user_timers.h"
#include "runtime/operators/with_function.h"
#include "runtime/operators/with_process_context.h"

namespace wiesel::runtime {

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
      element_.setTo(batch, i);
      this->function_.processElement(batch.values[i], read_only_context_, this->output_);
    });
  }

  void process2(Batch<Broadcast>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      element_.setTo(batch, i);
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
    WithUserTimers<Keyed<WithFunction<TwoInputOperator<In, Broadcast, Out>, F>, In, K, KeySelector>,
                   K>;

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
    this->openUserTimers();
    read_only_context_.emplace(this->element_, states_, this->backend());
    Base::open();
    context_.emplace(this->element_, states_, this->backend(), this->function_.getRuntimeContext());
  }

 protected:
  void process1(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      this->element_.setTo(batch, i);
      this->function_.processElement(batch.values[i], *read_only_context_, this->output_);
    });
  }

  void process2(Batch<Broadcast>& batch) override {
    this->backend().clearCurrentKey();
    this->forEachRecord(batch, [&](size_t i) {
      this->element_.setTo(batch, i);
      this->function_.processBroadcastElement(batch.values[i], *context_, this->output_);
    });
  }

 private:
  void callOnTimer(int64_t timestamp_ms) override {
    this->function_.onTimer(timestamp_ms, *read_only_context_, this->output_);
  }

  BroadcastStates states_;
  std::optional<typename F::OnTimerContext> read_only_context_;  // Set from open() on, as below.
  std::optional<typename F::Context> context_;
};

}  // namespace wiesel::runtime
