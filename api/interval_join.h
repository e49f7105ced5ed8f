#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "api/connected_streams.h"
#include "api/exceptions.h"
#include "api/keyed_stream.h"
#include "runtime/functions/process_join_function.h"
#include "runtime/joins/interval_join_operator.h"

namespace wiesel {

/// An interval join whose bounds are known: left.intervalJoin(right).between(lower, upper).
/// Flink: KeyedStream.IntervalJoined (1.20).
template <class L, class R, class K, class LeftKey, class RightKey>
class IntervalJoined {
 public:
  IntervalJoined(KeyedStream<L, K, LeftKey> left, KeyedStream<R, K, RightKey> right,
                 std::chrono::milliseconds lower, std::chrono::milliseconds upper)
      : left_(std::move(left)),
        right_(std::move(right)),
        lower_ms_(bounded(lower)),
        upper_ms_(bounded(upper)) {
    if (lower_ms_ > upper_ms_) {
      throw InvalidProgramException(
          "between(): the lower bound must not be above the upper one, got " +
          std::to_string(lower_ms_) + " ms and " + std::to_string(upper_ms_) + " ms");
    }
  }

  /// A right record must be later than left + lower, rather than not earlier.
  IntervalJoined& lowerBoundExclusive() {
    lower_inclusive_ = false;
    return *this;
  }
  /// A right record must be earlier than left + upper, rather than not later.
  IntervalJoined& upperBoundExclusive() {
    upper_inclusive_ = false;
    return *this;
  }

  /// Puts left records that are behind the watermark, and so not joined, out at the side.
  IntervalJoined& sideOutputLeftLateData(OutputTag<L> tag) {
    settings_.late_left = std::move(tag);
    return *this;
  }
  IntervalJoined& sideOutputRightLateData(OutputTag<R> tag) {
    settings_.late_right = std::move(tag);
    return *this;
  }

  /// Calls a ProcessJoinFunction<L, R, Out> for each pair, in no defined order among the pairs that
  /// one record makes. Results carry the higher of both timestamps.
  template <class F>
  auto process(F f) const {
    WIESEL_REQUIRE_FUNCTION(F);
    using Function = runtime::FunctionOf<F>;
    using Out = typename Function::Output;
    using Operator = runtime::IntervalJoinOperator<L, R, Out, K, LeftKey, RightKey, Function>;
    runtime::IntervalJoinSettings<L, R> settings = settings_;
    settings.lower_ms = lower_ms_ + (lower_inclusive_ ? 0 : 1);
    settings.upper_ms = upper_ms_ - (upper_inclusive_ ? 0 : 1);
    return internal::addTwoInputNode<Out>(
        "Interval Join", true, left_.inlet(0), right_.inlet(1), std::move(f),
        [left_key = left_.keySelector(), right_key = right_.keySelector(),
         settings = std::move(settings)](Function function) {
          return std::make_unique<Operator>(left_key, right_key, std::move(function), settings);
        });
  }

 private:
  /// Far enough from the ends of the type for what is done with bounds.
  static int64_t bounded(std::chrono::milliseconds bound) {
    constexpr int64_t kMostMs = std::numeric_limits<int64_t>::max() - 1;
    return std::clamp<int64_t>(bound.count(), -kMostMs, kMostMs);
  }

  KeyedStream<L, K, LeftKey> left_;
  KeyedStream<R, K, RightKey> right_;
  int64_t lower_ms_;
  int64_t upper_ms_;
  bool lower_inclusive_ = true;
  bool upper_inclusive_ = true;
  runtime::IntervalJoinSettings<L, R> settings_;  // Its bounds are set in the end.
};

/// Joins two keyed streams by time: left.intervalJoin(right).
/// Flink: KeyedStream.IntervalJoin (1.20).
template <class L, class R, class K, class LeftKey, class RightKey>
class IntervalJoin {
 public:
  IntervalJoin(KeyedStream<L, K, LeftKey> left, KeyedStream<R, K, RightKey> right)
      : left_(std::move(left)), right_(std::move(right)) {}

  /// Pairs every left record with the right ones of its key whose timestamps are in
  /// [left + lower, left + upper]; bounds may be negative. In event time only.
  /// Errors: InvalidProgramException when lower > upper.
  IntervalJoined<L, R, K, LeftKey, RightKey> between(std::chrono::milliseconds lower,
                                                     std::chrono::milliseconds upper) const {
    return {left_, right_, lower, upper};
  }

 private:
  KeyedStream<L, K, LeftKey> left_;
  KeyedStream<R, K, RightKey> right_;
};

}  // namespace wiesel
