#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/functions/output_tag.h"
#include "runtime/operators/keyed_operator.h"
#include "runtime/operators/with_timers.h"
#include "runtime/windowing/window_context.h"
#include "runtime/windowing/window_logic.h"

namespace wiesel::runtime {

/// Gathers the records of each key into windows W of any kind. What is kept of them is up to
/// `Contents`, one of window_contents.h; `Function` is called as function(key, window, contents,
/// context, collector), and function.clear(context) if it has that.
///
/// Flink: WindowOperator, EvictingWindowOperator (1.20); results carry the window's last timestamp.
///        Late records go to the side, or are dropped and counted.
template <class In, class Out, class K, class W, class KeySelector, class Contents, class Function>
class WindowOperator final
    : public WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K, W>,
      private WindowTarget<In, W>,
      private WindowClocks {
 public:
  using Base = WithTimers<Keyed<FunctionOperator<In, Out, Function>, In, K, KeySelector>, K, W>;

  WindowOperator(KeySelector key_selector, WindowSettings<In, W> settings,
                 std::optional<OutputTag<In>> late_tag, Contents contents, Function function)
      : Base(std::move(key_selector), std::move(function)),
        settings_(std::move(settings)),
        late_tag_(std::move(late_tag)),
        contents_(std::move(contents)) {}

  void open() override {
    late_records_dropped_ = &this->context().metrics.counter(kNumLateRecordsDropped);
    this->openTimers("window-timers");
    contents_.open(this->backend());
    context_.emplace(static_cast<WindowClocks&>(*this), this->backend(), this->output_,
                     settings_.assigner->merges());
    logic_.emplace(settings_, this->backend(), this->timers(),
                   static_cast<WindowTarget<In, W>&>(*this));
    Base::open();
  }

  void process(Batch<In>& batch) override {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        this->setKeyOf(batch.values[i]);
        logic_->processElement(
            std::move(batch.values[i]),
            batch.has_timestamps ? batch.timestamps_ms[i] : TimestampedValue<In>::kNoTimestamp);
      }
    });
    this->output_.flushRecords();
  }

 private:
  void onEventTime(const Timer<K, W>& timer) override { logic_->onEventTime(timer); }

  void onProcessingTime(const Timer<K, W>& timer) override {
    this->guarded([&] { logic_->onProcessingTime(timer); });
    this->output_.flushRecords();
  }

  bool addElement(const W& state_window, In&& element, int64_t timestamp_ms) override {
    return contents_.add(state_window, std::move(element), timestamp_ms);
  }

  void fire(const W& window, const W& state_window) override {
    context_->setWindow(window);
    this->output_.setTimestamp(window.maxTimestamp());
    contents_.withContents(state_window, [&](auto&& contents) {
      this->function_(this->backend().currentKey(), window, contents, *context_, this->output_);
    });
    // What a user's function prints and what its results make others print stays together.
    if constexpr (!requires { Function::kHasNoEffects; }) this->output_.flushRecords();
  }

  void clearContents(const W& state_window) override { contents_.clear(state_window); }
  void mergeContents(const W& state_window, const std::vector<W>& others) override {
    contents_.merge(state_window, others);
  }

  void clearFunctionState(const W& window) override {
    if constexpr (requires { this->function_.clear(*context_); }) {
      context_->setWindow(window);
      this->function_.clear(*context_);
    }
  }

  void onLateElement(In&& element, int64_t timestamp_ms) override {
    if (late_tag_) {
      this->output_.emitSide(*late_tag_, std::move(element), timestamp_ms);
    } else {
      late_records_dropped_->inc();
    }
  }

  int64_t currentProcessingTime() const override { return this->timers().currentProcessingTime(); }
  int64_t currentWatermark() const override { return this->timers().currentWatermark(); }

  const WindowSettings<In, W> settings_;
  const std::optional<OutputTag<In>> late_tag_;
  Contents contents_;
  std::optional<WindowContext<K, W>> context_;  // Set from open() on, as below.
  std::optional<WindowLogic<In, K, W>> logic_;
  Counter* late_records_dropped_ = nullptr;  // Owned by the context; set from open() on.
};

}  // namespace wiesel::runtime
