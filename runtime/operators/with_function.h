#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/functions/function_calls.h"
#include "runtime/functions/runtime_context.h"
#include "runtime/operators/stream_operator.h"

namespace wiesel::runtime {

/// Gives `Base`, an operator, one user function F, which it owns by value, opens and closes.
/// Flink: AbstractUdfStreamOperator (1.20).
template <class Base, class F>
class WithFunction : public Base {
 public:
  explicit WithFunction(F function) : function_(std::move(function)) {}

  void open() override {
    runtime_context_.emplace(this->context(), this->keyedState());
    this->guarded([this] { openFunction(function_, *runtime_context_); });
  }
  void close() override {
    if (runtime_context_) this->guardedClose([this] { closeFunction(function_); });
  }

  void snapshotState(int64_t checkpoint_id) override {
    this->guarded([&] { snapshotFunction(function_, checkpoint_id); });
  }
  void notifyCheckpointComplete(int64_t checkpoint_id) override {
    this->guarded([&] { notifyFunctionOfCompletion(function_, checkpoint_id); });
  }
  void notifyCheckpointAborted(int64_t checkpoint_id) override {
    this->guarded([&] { notifyFunctionOfAbort(function_, checkpoint_id); });
  }

 protected:
  F function_;

 private:
  std::optional<RuntimeContext> runtime_context_;  // Set from open() on.
};

/// An operator of one input around a user function.
template <class In, class Out, class F>
using FunctionOperator = WithFunction<OneInputOperator<In, Out>, F>;

}  // namespace wiesel::runtime
