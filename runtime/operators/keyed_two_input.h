#pragma once

#include <memory>
#include <utility>

#include "runtime/functions/function_traits.h"
#include "runtime/operators/keyed_backend.h"
#include "runtime/operators/stream_operator.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// Makes `Base`, an operator with inputs of In1 and In2 records, one of two keyed streams with keys
/// of one type: both have one keyed state, and setKeyOf1(record), setKeyOf2(record) make a record's
/// key the current one. Keyed, in keyed_operator.h, does this for one input.
template <class Base, class In1, class In2, class K, class KeySelector1, class KeySelector2>
class KeyedTwoInput : public Base {
 public:
  template <class... Args>
  KeyedTwoInput(KeySelector1 key_selector1, KeySelector2 key_selector2, Args&&... args)
      : Base(std::forward<Args>(args)...),
        key_selector1_(std::move(key_selector1)),
        key_selector2_(std::move(key_selector2)) {}

  void setUp(OperatorContext& context) override {
    Base::setUp(context);
    backend_ = makeKeyedBackend<K>(context);
  }

  state::KeyedStateBackend* keyedState() override { return backend_.get(); }

 protected:
  void setKeyOf1(const In1& record) { backend_->setCurrentKey(invokeKey(key_selector1_, record)); }
  void setKeyOf2(const In2& record) { backend_->setCurrentKey(invokeKey(key_selector2_, record)); }
  state::TypedKeyedStateBackend<K>& backend() const { return *backend_; }

 private:
  KeySelector1 key_selector1_;
  KeySelector2 key_selector2_;
  std::unique_ptr<state::TypedKeyedStateBackend<K>> backend_;
};

}  // namespace wiesel::runtime
