#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/output_tag.h"
#include "runtime/joins/buffer_entry.h"
#include "runtime/operators/keyed_two_input.h"
#include "runtime/operators/two_input_operator.h"
#include "runtime/operators/with_function.h"
#include "runtime/operators/with_timers.h"

namespace wiesel::runtime {

/// Which pairs an interval join makes: those with `lower` <= right's timestamp - left's <= `upper`,
/// both in milliseconds, and where records go that came too late to be joined.
template <class L, class R>
struct IntervalJoinSettings {
  int64_t lower_ms = 0;
  int64_t upper_ms = 0;
  std::optional<OutputTag<L>> late_left;
  std::optional<OutputTag<R>> late_right;
};

/// What IntervalJoinOperator is made from: two keyed inputs, a function and timers whose namespace
/// says which side they clean up.
template <class L, class R, class Out, class K, class LeftKey, class RightKey, class F>
using IntervalJoinBase = WithTimers<
    KeyedTwoInput<WithFunction<TwoInputOperator<L, R, Out>, F>, L, R, K, LeftKey, RightKey>, K,
    std::string>;

/// Calls a ProcessJoinFunction for each pair of records of one key whose timestamps are close
/// enough: each record meets those of the other side that have come before it. It stays until the
/// watermark says that no partner can come any more.
/// Flink: IntervalJoinOperator (1.20), its states and timers included.
template <class L, class R, class Out, class K, class LeftKey, class RightKey, class F>
class IntervalJoinOperator final : public IntervalJoinBase<L, R, Out, K, LeftKey, RightKey, F> {
 public:
  using Base = IntervalJoinBase<L, R, Out, K, LeftKey, RightKey, F>;

  IntervalJoinOperator(LeftKey left_key, RightKey right_key, F function,
                       IntervalJoinSettings<L, R> settings)
      : Base(std::move(left_key), std::move(right_key), std::move(function)),
        settings_(std::move(settings)) {}

  void open() override {
    late_records_dropped_ = &this->context().metrics.counter(kNumLateRecordsDropped);
    this->openTimers("CLEANUP_TIMER");
    left_ = &this->backend().template mapCell<VoidNamespace, int64_t, Bucket<L>>("LEFT_BUFFER");
    right_ = &this->backend().template mapCell<VoidNamespace, int64_t, Bucket<R>>("RIGHT_BUFFER");
    Base::open();
  }

 protected:
  void process1(Batch<L>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf1(batch.values[i]);
      const int64_t left_ms = timestampOf(batch, i);
      if (isLate(left_ms)) return dropLate(settings_.late_left, batch.values[i], left_ms);
      addTo(*left_, left_ms, batch.values[i]);
      forEachWithin(*right_, left_ms, settings_.lower_ms, settings_.upper_ms,
                    [&](int64_t right_ms, const R& right) {
                      join(batch.values[i], right, left_ms, right_ms);
                    });
      this->timers().registerEventTimeTimer(kCleanupLeft, plus(left_ms, timeAfterLeft()));
    });
  }

  void process2(Batch<R>& batch) override {
    this->forEachRecord(batch, [&](size_t i) {
      this->setKeyOf2(batch.values[i]);
      const int64_t right_ms = timestampOf(batch, i);
      if (isLate(right_ms)) return dropLate(settings_.late_right, batch.values[i], right_ms);
      addTo(*right_, right_ms, batch.values[i]);
      forEachWithin(
          *left_, right_ms, -settings_.upper_ms, -settings_.lower_ms,
          [&](int64_t left_ms, const L& left) { join(left, batch.values[i], left_ms, right_ms); });
      this->timers().registerEventTimeTimer(kCleanupRight, plus(right_ms, timeAfterRight()));
    });
  }

 private:
  template <class T>
  using Bucket = std::vector<BufferEntry<T>>;
  template <class T>
  using Buffer = state::MapCell<VoidNamespace, int64_t, Bucket<T>>;  // By timestamp.

  static inline const std::string kCleanupLeft = "CLEANUP_LEFT";
  static inline const std::string kCleanupRight = "CLEANUP_RIGHT";

  /// How long after its own timestamp a record may find partners.
  int64_t timeAfterLeft() const { return std::max<int64_t>(0, settings_.upper_ms); }
  int64_t timeAfterRight() const { return std::max<int64_t>(0, -settings_.lower_ms); }

  template <class In>
  static int64_t timestampOf(const Batch<In>& batch, size_t index) {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
    if (!batch.has_timestamps || batch.timestamps_ms[index] == kNone) {
      throw std::logic_error(
          "an interval join got a record without a timestamp: call "
          "assignTimestampsAndWatermarks() on both streams before it");
    }
    return batch.timestamps_ms[index];
  }

  bool isLate(int64_t timestamp_ms) const {
    // Before the first watermark it is the smallest number.
    return timestamp_ms < this->timers().currentWatermark();
  }

  template <class T>
  void dropLate(const std::optional<OutputTag<T>>& tag, T& record, int64_t timestamp_ms) {
    if (tag) {
      this->output_.emitSide(*tag, std::move(record), timestamp_ms);
    } else {
      late_records_dropped_->inc();
    }
  }

  template <class T>
  static void addTo(Buffer<T>& buffer, int64_t timestamp_ms, const T& record) {
    buffer.update({}, timestamp_ms, [&record](Bucket<T>& bucket) {
      bucket.push_back({record, false});
    });
  }

  /// Without overflow: what is out of range is at its end.
  static int64_t plus(int64_t left, int64_t right) {
    int64_t sum = 0;
    if (!__builtin_add_overflow(left, right, &sum)) return sum;
    return left < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }

  /// Visits the records of the other side whose timestamp differs from ours by lower to upper.
  template <class T, class Visit>
  static void forEachWithin(Buffer<T>& buffer, int64_t timestamp_ms, int64_t lower_ms,
                            int64_t upper_ms, Visit visit) {
    const int64_t first_ms = plus(timestamp_ms, lower_ms);
    const int64_t last_ms = plus(timestamp_ms, upper_ms);
    buffer.forEach({}, [&](const int64_t& other_ms, const Bucket<T>& bucket) {
      if (first_ms <= other_ms && other_ms <= last_ms) {
        for (const BufferEntry<T>& entry : bucket) visit(other_ms, entry.element);
      }
      return true;
    });
  }

  void join(const L& left, const R& right, int64_t left_ms, int64_t right_ms) {
    context_.setTimestamps(left_ms, right_ms);
    this->output_.setTimestamp(context_.getTimestamp());
    this->function_.processElement(left, right, context_, this->output_);
  }

  void onEventTime(const Timer<K, std::string>& timer) override {
    if (timer.ns == kCleanupLeft) {
      left_->remove({}, timer.timestamp_ms - timeAfterLeft());
    } else {
      right_->remove({}, timer.timestamp_ms - timeAfterRight());
    }
  }
  void onProcessingTime(const Timer<K, std::string>&) override {}

  const IntervalJoinSettings<L, R> settings_;
  typename F::Context context_{this->output_};
  Buffer<L>* left_ = nullptr;  // Owned by the backend, as the next; set from open() on.
  Buffer<R>* right_ = nullptr;
  Counter* late_records_dropped_ = nullptr;  // Owned by the context.
};

}  // namespace wiesel::runtime
