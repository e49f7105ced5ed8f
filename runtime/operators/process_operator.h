#pragma once

#include "runtime/functions/process_function.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/with_process_context.h"

namespace wiesel::runtime {

/// Calls a ProcessFunction. Flink: ProcessOperator (1.20).
template <class In, class Out, class F>
class ProcessOperator final : public WithProcessContext<FunctionOperator<In, Out, F>, F> {
 public:
  using WithProcessContext<FunctionOperator<In, Out, F>, F>::WithProcessContext;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->function_.processElement(batch.values[i], this->contextOf(batch, i), this->output_);
    });
  }
};

/// Calls a KeyedProcessFunction, or a ProcessFunction on a keyed stream, and its timers.
/// Flink: KeyedProcessOperator, LegacyKeyedProcessOperator (1.20).
template <class In, class Out, class K, class KeySelector, class F>
class KeyedProcessOperator final
    : public WithKeyedProcessContext<Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>, K,
                                     F> {
 public:
  using Base =
      WithKeyedProcessContext<Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>, K, F>;
  using Base::Base;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      this->function_.processElement(batch.values[i], this->contextOf(batch, i), this->output_);
    });
  }
};

}  // namespace wiesel::runtime
