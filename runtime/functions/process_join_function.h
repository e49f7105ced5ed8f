#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "runtime/functions/collector.h"
#include "runtime/functions/output_tag.h"
#include "runtime/functions/rich_function.h"
#include "runtime/operators/output.h"

namespace wiesel {

namespace runtime {

/// What a join function is told about the pair at hand.
///
/// Units:   milliseconds since the epoch.
/// Threads: the task's own, only during the call that got the context.
/// Flink:   ProcessJoinFunction.Context (1.20).
class JoinContext {
 public:
  /// `output` outlives the context.
  explicit JoinContext(OutputBase& output) : output_(&output) {}

  int64_t getLeftTimestamp() const { return left_ms_; }
  int64_t getRightTimestamp() const { return right_ms_; }
  /// The higher of both, which is the results' timestamp.
  int64_t getTimestamp() const { return left_ms_ > right_ms_ ? left_ms_ : right_ms_; }

  /// Puts `value` out at the side, with the timestamp of the pair. Nothing happens when nobody
  /// reads the side.
  template <class S>
  void output(const OutputTag<S>& tag, std::type_identity_t<S> value) {
    output_->emitSide(tag, std::move(value), getTimestamp());
  }

  void setTimestamps(int64_t left_ms, int64_t right_ms) {
    left_ms_ = left_ms;
    right_ms_ = right_ms;
  }

 private:
  OutputBase* output_;  // Not owned.
  int64_t left_ms_ = std::numeric_limits<int64_t>::min();
  int64_t right_ms_ = std::numeric_limits<int64_t>::min();
};

}  // namespace runtime

/// A function on the pairs of an interval join. The join waits while it is called: it may use state
/// of its own for the key, but no timers.
/// Flink: ProcessJoinFunction (1.20).
template <class Left, class Right, class Out>
class ProcessJoinFunction : public RichFunction {
 public:
  using Output = Out;
  using Context = runtime::JoinContext;

  virtual void processElement(const Left& left, const Right& right, Context& context,
                              Collector<Out>& out) = 0;
};

}  // namespace wiesel
