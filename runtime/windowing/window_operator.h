#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/with_timers.h"
#include "runtime/windowing/time_window.h"
#include "runtime/windowing/window_assigners.h"

namespace wiesel::runtime {

/// Gathers the records of each key into event-time windows and calls `Function` for a window when
/// the watermark has passed its end. `Contents` is one of window_contents.h; `Function` is called
/// as function(key, window, contents, collector).
///
/// A record whose window has fired already is dropped and counted.
/// Flink: WindowOperator with EventTimeTrigger and no allowed lateness (1.20); results carry
///        end - 1.
template <class In, class Out, class K, class KeySelector, class Contents, class Function>
class WindowOperator final
    : public WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K,
                        TimeWindow> {
 public:
  using Base =
      WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K, TimeWindow>;

  WindowOperator(KeySelector key_selector, TumblingEventTimeWindows assigner, Contents contents,
                 Function function)
      : Base(std::move(key_selector), std::move(function)),
        assigner_(assigner),
        contents_(std::move(contents)) {}

  void open() override {
    late_records_dropped_ = &this->context().metrics.counter(kNumLateRecordsDropped);
    this->openTimers("window-timers");
    contents_.open(this->backend());
    Base::open();
  }

  void process(Batch<In>& batch) override {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        if (!batch.has_timestamps || batch.timestamps_ms[i] == kNoTimestamp) failWithoutTimestamp();
        addRecord(std::move(batch.values[i]), batch.timestamps_ms[i]);
      }
    });
  }

 private:
  /// What a record has when nobody gave it a timestamp, but asked for one.
  static constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();

  void addRecord(In&& record, int64_t timestamp_ms) {
    const TimeWindow window = assigner_.windowOf(timestamp_ms);
    if (window.maxTimestamp() <= this->timers().currentWatermark()) {
      late_records_dropped_->inc();
      return;
    }
    this->setKeyOf(record);
    // A window that has elements has its timer, too.
    if (contents_.add(window, std::move(record))) {
      this->timers().registerEventTimeTimer(window, window.maxTimestamp());
    }
  }

  void onEventTime(const Timer<K, TimeWindow>& timer) override {
    this->output_.setTimestamp(timer.ns.maxTimestamp());
    contents_.withContents(timer.ns, [&](auto& contents) {
      this->function_(timer.key, timer.ns, contents, this->output_);
    });
    // What a user's function prints and what its results make others print stays together.
    if constexpr (!requires { Function::kHasNoEffects; }) this->output_.flushRecords();
    contents_.clear(timer.ns);
  }

  void onProcessingTime(const Timer<K, TimeWindow>&) override {}

  [[noreturn]] static void failWithoutTimestamp() {
    throw std::runtime_error(
        "a record has no timestamp (event-time windows need one): call "
        "assignTimestampsAndWatermarks() on the stream before window()");
  }

  const TumblingEventTimeWindows assigner_;
  Contents contents_;
  Counter* late_records_dropped_ = nullptr;  // Owned by the context; set from open() on.
};

}  // namespace wiesel::runtime
