#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/functions/output_tag.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/with_timers.h"
#include "runtime/windowing/time_window.h"
#include "runtime/windowing/window_assigners.h"
#include "runtime/windowing/window_context.h"

namespace wiesel::runtime {

/// Gathers the records of each key into tumbling event-time windows and calls `Function` for a
/// window when the watermark has passed its end: what WindowOperator does with the default trigger
/// and no allowed lateness, without asking a trigger for each record. `Contents` and `Function` are
/// as there.
///
/// A record whose window has fired already goes to the side, or is dropped and counted.
/// Flink: WindowOperator (1.20); results carry end - 1.
template <class In, class Out, class K, class KeySelector, class Contents, class Function>
class TumblingWindowOperator final
    : public WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K,
                        TimeWindow>,
      private WindowClocks {
 public:
  using Base =
      WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K, TimeWindow>;

  TumblingWindowOperator(KeySelector key_selector, TumblingEventTimeWindows assigner,
                         std::optional<OutputTag<In>> late_tag, Contents contents,
                         Function function)
      : Base(std::move(key_selector), std::move(function)),
        assigner_(assigner),
        late_tag_(std::move(late_tag)),
        contents_(std::move(contents)) {}

  void open() override {
    late_records_dropped_ = &this->context().metrics.counter(kNumLateRecordsDropped);
    this->openTimers("window-timers");
    contents_.open(this->backend());
    context_.emplace(static_cast<WindowClocks&>(*this), this->backend(), this->output_, false);
    Base::open();
  }

  void process(Batch<In>& batch) override {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        if (!batch.has_timestamps || batch.timestamps_ms[i] == wiesel::internal::kNoTimestamp) {
          wiesel::internal::failWithoutTimestamp();
        }
        addRecord(std::move(batch.values[i]), batch.timestamps_ms[i]);
      }
    });
    if (late_tag_) this->output_.flushRecords();
  }

 private:
  void addRecord(In&& record, int64_t timestamp_ms) {
    const TimeWindow window = assigner_.windowOf(timestamp_ms);
    if (window.maxTimestamp() <= this->timers().currentWatermark()) {
      return onLateRecord(std::move(record), timestamp_ms);
    }
    this->setKeyOf(record);
    // A window that has elements has its timer, too.
    if (contents_.add(window, std::move(record), timestamp_ms)) {
      this->timers().registerEventTimeTimer(window, window.maxTimestamp());
    }
  }

  void onEventTime(const Timer<K, TimeWindow>& timer) override {
    this->output_.setTimestamp(timer.ns.maxTimestamp());
    if constexpr (requires { Function::kUsesContext; }) context_->setWindow(timer.ns);
    contents_.withContents(timer.ns, [&](auto&& contents) {
      this->function_(timer.key, timer.ns, contents, *context_, this->output_);
    });
    // What a user's function prints and what its results make others print stays together.
    if constexpr (!requires { Function::kHasNoEffects; }) this->output_.flushRecords();
    contents_.clear(timer.ns);
    if constexpr (requires { this->function_.clear(*context_); }) this->function_.clear(*context_);
  }

  void onProcessingTime(const Timer<K, TimeWindow>&) override {}

  void onLateRecord(In&& record, int64_t timestamp_ms) {
    if (late_tag_) {
      this->output_.emitSide(*late_tag_, std::move(record), timestamp_ms);
    } else {
      late_records_dropped_->inc();
    }
  }

  int64_t currentProcessingTime() const override { return this->timers().currentProcessingTime(); }
  int64_t currentWatermark() const override { return this->timers().currentWatermark(); }

  const TumblingEventTimeWindows assigner_;
  const std::optional<OutputTag<In>> late_tag_;
  Contents contents_;
  std::optional<WindowContext<K, TimeWindow>> context_;  // Set from open() on.
  Counter* late_records_dropped_ = nullptr;  // Owned by the context; set from open() on.
};

}  // namespace wiesel::runtime
