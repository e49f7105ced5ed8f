#pragma once

#include "runtime/operators/keyed_two_input.h"
#include "runtime/operators/two_input_operator.h"
#include "runtime/operators/with_function.h"
#include "runtime/operators/with_process_context.h"

namespace wiesel::runtime {

/// An operator of two inputs, without keys, around a user function.
template <class In1, class In2, class Out, class F>
class TwoInputFunctionOperator : public WithFunction<TwoInputOperator<In1, In2, Out>, F> {
 public:
  using WithFunction<TwoInputOperator<In1, In2, Out>, F>::WithFunction;

 protected:
  // What KeyedTwoInput hides with something to do.
  void setKeyOf1(const In1&) {}
  void setKeyOf2(const In2&) {}
};

// The operators below are made from a `Base`: a TwoInputFunctionOperator, or one of KeyedTwoInput
// and, for process functions, with a context.

/// Makes each record's key the current one and has `Self` call the function with the record: it has
/// call1(batch, index) and call2(batch, index).
template <class Self, class In1, class In2, class Base>
class CoOperator : public Base {
 public:
  using Base::Base;

 protected:
  void process1(Batch<In1>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf1(batch.values[i]);
      static_cast<Self&>(*this).call1(batch, i);
    });
  }
  void process2(Batch<In2>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf2(batch.values[i]);
      static_cast<Self&>(*this).call2(batch, i);
    });
  }
};

/// Calls a CoMapFunction. Flink: CoStreamMap (1.20).
template <class In1, class In2, class Base>
class CoMapOperator final : public CoOperator<CoMapOperator<In1, In2, Base>, In1, In2, Base> {
 public:
  using CoOperator<CoMapOperator, In1, In2, Base>::CoOperator;

  void call1(Batch<In1>& batch, size_t i) {
    this->output_.collect(this->function_.map1(batch.values[i]));
  }
  void call2(Batch<In2>& batch, size_t i) {
    this->output_.collect(this->function_.map2(batch.values[i]));
  }
};

/// Calls a CoFlatMapFunction. Flink: CoStreamFlatMap (1.20).
template <class In1, class In2, class Base>
class CoFlatMapOperator final
    : public CoOperator<CoFlatMapOperator<In1, In2, Base>, In1, In2, Base> {
 public:
  using CoOperator<CoFlatMapOperator, In1, In2, Base>::CoOperator;

  void call1(Batch<In1>& batch, size_t i) {
    this->function_.flatMap1(batch.values[i], this->output_);
  }
  void call2(Batch<In2>& batch, size_t i) {
    this->function_.flatMap2(batch.values[i], this->output_);
  }
};

/// Calls a CoProcessFunction or KeyedCoProcessFunction.
/// Flink: CoProcessOperator, KeyedCoProcessOperator, LegacyKeyedCoProcessOperator (1.20).
template <class In1, class In2, class Base>
class CoProcessOperator final
    : public CoOperator<CoProcessOperator<In1, In2, Base>, In1, In2, Base> {
 public:
  using CoOperator<CoProcessOperator, In1, In2, Base>::CoOperator;

  void call1(Batch<In1>& batch, size_t i) {
    this->function_.processElement1(batch.values[i], this->contextOf(batch, i), this->output_);
  }
  void call2(Batch<In2>& batch, size_t i) {
    this->function_.processElement2(batch.values[i], this->contextOf(batch, i), this->output_);
  }
};

}  // namespace wiesel::runtime
