#pragma once

#include <utility>

#include "runtime/functions/function_traits.h"
#include "runtime/operators/with_function.h"

namespace wiesel::runtime {

/// Flink: StreamMap (1.20).
template <class In, class Out, class F>
class MapOperator final : public FunctionOperator<In, Out, F> {
 public:
  using FunctionOperator<In, Out, F>::FunctionOperator;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->output_.collect(invokeMap(this->function_, std::move(batch.values[i])));
    });
  }
};

/// Flink: StreamFilter (1.20).
template <class In, class F>
class FilterOperator final : public FunctionOperator<In, In, F> {
 public:
  using FunctionOperator<In, In, F>::FunctionOperator;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      if (invokeFilter(this->function_, std::as_const(batch.values[i]))) {
        this->output_.collect(std::move(batch.values[i]));
      }
    });
  }
};

/// Flink: StreamFlatMap (1.20).
template <class In, class Out, class F>
class FlatMapOperator final : public FunctionOperator<In, Out, F> {
 public:
  using FunctionOperator<In, Out, F>::FunctionOperator;

  void process(Batch<In>& batch) override {
    Collector<Out>& collector = this->output_;
    this->forEachRecord(batch, [&](size_t i) {
      invokeFlatMap(this->function_, std::move(batch.values[i]), collector);
    });
  }
};

}  // namespace wiesel::runtime
