#pragma once

#include <memory>
#include <utility>

#include "runtime/functions/function_traits.h"
#include "runtime/operators/keyed_backend.h"
#include "runtime/operators/map_operator.h"
#include "runtime/operators/stream_operator.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// Makes `Base`, an operator on In records, one of a keyed stream: it has keyed state, and
/// setKeyOf(record) makes the record's key the current one.
template <class Base, class In, class K, class KeySelector>
class Keyed : public Base {
 public:
  template <class... Args>
  explicit Keyed(KeySelector key_selector, Args&&... args)
      : Base(std::forward<Args>(args)...), key_selector_(std::move(key_selector)) {}

  void setUp(OperatorContext& context) override {
    Base::setUp(context);
    backend_ = makeKeyedBackend<K>(context);
  }

  state::KeyedStateBackend* keyedState() override { return backend_.get(); }

 protected:
  void setKeyOf(const In& record) { backend_->setCurrentKey(invokeKey(key_selector_, record)); }
  state::TypedKeyedStateBackend<K>& backend() const { return *backend_; }

 private:
  KeySelector key_selector_;
  std::unique_ptr<state::TypedKeyedStateBackend<K>> backend_;
};

/// map() on a keyed stream, whose function may use keyed state. Flink: StreamMap (1.20).
template <class In, class Out, class K, class KeySelector, class F>
class KeyedMapOperator final : public Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector> {
 public:
  using Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>::Keyed;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      this->output_.collect(invokeMap(this->function_, std::move(batch.values[i])));
    });
  }
};

/// flatMap() on a keyed stream. Flink: StreamFlatMap (1.20).
template <class In, class Out, class K, class KeySelector, class F>
class KeyedFlatMapOperator final : public Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector> {
 public:
  using Keyed<FunctionOperator<In, Out, F>, In, K, KeySelector>::Keyed;

  void process(Batch<In>& batch) override {
    Collector<Out>& collector = this->output_;
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      invokeFlatMap(this->function_, std::move(batch.values[i]), collector);
    });
  }
};

/// filter() on a keyed stream. Flink: StreamFilter (1.20).
template <class In, class K, class KeySelector, class F>
class KeyedFilterOperator final : public Keyed<FunctionOperator<In, In, F>, In, K, KeySelector> {
 public:
  using Keyed<FunctionOperator<In, In, F>, In, K, KeySelector>::Keyed;

  void process(Batch<In>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      if (invokeFilter(this->function_, std::as_const(batch.values[i]))) {
        this->output_.collect(std::move(batch.values[i]));
      }
    });
  }
};

/// Combines each record with what its key has so far and puts out the result.
/// Flink: StreamGroupedReduceOperator (1.20), whose state is named "_op_state".
template <class T, class K, class KeySelector, class F>
class KeyedReduceOperator final : public Keyed<FunctionOperator<T, T, F>, T, K, KeySelector> {
 public:
  using Base = Keyed<FunctionOperator<T, T, F>, T, K, KeySelector>;
  using Base::Base;

  void open() override {
    Base::open();
    reduced_ = &this->backend().template valueCell<VoidNamespace, T>("_op_state");
  }

  void process(Batch<T>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf(batch.values[i]);
      if (const T* known = reduced_->find({})) {
        reduced_->put({}, invokeReduce(this->function_, *known, batch.values[i]));
      } else {
        reduced_->put({}, batch.values[i]);
      }
      this->output_.collect(T(*reduced_->find({})));
    });
  }

 private:
  state::ValueCell<VoidNamespace, T>* reduced_ = nullptr;  // Owned by the backend.
};

}  // namespace wiesel::runtime
