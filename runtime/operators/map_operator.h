#pragma once

#include <optional>
#include <utility>

#include "runtime/functions/function_traits.h"
#include "runtime/functions/rich_function.h"
#include "runtime/operators/stream_operator.h"

namespace wiesel::runtime {

/// An operator around one user function F, which it owns by value, opens and closes.
template <class In, class Out, class F>
class FunctionOperator : public OneInputOperator<In, Out> {
 public:
  explicit FunctionOperator(F function) : function_(std::move(function)) {}

  void open() override {
    runtime_context_.emplace(this->context(), this->keyedState());
    this->guarded([this] { openFunction(function_, *runtime_context_); });
  }
  void close() override {
    if (runtime_context_) this->guardedClose([this] { closeFunction(function_); });
  }

 protected:
  F function_;

 private:
  std::optional<RuntimeContext> runtime_context_;  // Set from open() on.
};

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
