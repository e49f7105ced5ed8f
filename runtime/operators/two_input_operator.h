#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "common/check.h"
#include "runtime/operators/stream_operator.h"
#include "runtime/time/combined_watermark.h"

namespace wiesel::runtime {

/// An operator with two inputs, of In1 and In2 records, that puts out Out records. Its watermark is
/// the lower one of its inputs; it is idle when both are.
/// Flink: TwoInputStreamOperator, AbstractStreamOperator (1.20).
template <class In1, class In2, class Out>
class TwoInputOperator : public StreamOperator {
 public:
  int inputCount() const override { return 2; }
  OperatorInput& input(int index) override {
    WIESEL_CHECK(index == 0 || index == 1);
    if (index == 0) return first_;
    return second_;
  }
  OutputBase* output() override { return &output_; }

 protected:
  virtual void process1(Batch<In1>& batch) = 0;
  virtual void process2(Batch<In2>& batch) = 0;

  /// Takes the watermark of both inputs. An operator that cannot pass it on at once calls
  /// passWatermarkOn() when it can, and says holdsWatermark() until then.
  virtual void processWatermark(int64_t watermark_ms) { passWatermarkOn(watermark_ms); }

  void passWatermarkOn(int64_t watermark_ms) {
    output_.emitWatermark(watermark_ms);
    if (waiting_status_) output_.emitWatermarkStatus(*std::exchange(waiting_status_, {}));
  }

  /// Runs `each(i)` for the index of every record of the batch: with its timestamp set on the
  /// output, and what it throws reported in the operator's name.
  template <class In, class F>
  void forEachRecord(Batch<In>& batch, F each) {
    this->guarded([&] {
      for (size_t i = 0; i < batch.values.size(); ++i) {
        output_.takeTimestamp(batch, i);
        each(i);
      }
    });
    output_.flushRecords();
  }

  Output<Out> output_;

 private:
  template <class In, int index>
  class Input final : public TypedInput<In> {
   public:
    explicit Input(TwoInputOperator& op) : op_(op) {}
    void process(Batch<In>& batch) override {
      if constexpr (index == 0) {
        op_.process1(batch);
      } else {
        op_.process2(batch);
      }
    }
    void processWatermark(int64_t watermark_ms) override {
      const auto clock_ms = op_.combined_.onWatermark(index, watermark_ms);
      if (clock_ms) op_.processWatermark(*clock_ms);
    }
    void processWatermarkStatus(bool idle) override { op_.onStatus(index, idle); }

   private:
    TwoInputOperator& op_;
  };

  void onStatus(int index, bool idle) {
    const bool was_idle = combined_.isIdle();
    if (const auto clock_ms = combined_.onStatus(index, idle)) processWatermark(*clock_ms);
    if (combined_.isIdle() == was_idle) return;
    if (this->holdsWatermark()) {
      waiting_status_ = combined_.isIdle();
    } else {
      output_.emitWatermarkStatus(combined_.isIdle());
    }
  }

  Input<In1, 0> first_{*this};
  Input<In2, 1> second_{*this};
  CombinedWatermark combined_;
  std::optional<bool> waiting_status_;  // Leaves behind a watermark that is still worked through.
};

}  // namespace wiesel::runtime
