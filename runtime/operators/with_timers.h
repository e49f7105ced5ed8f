#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/time/internal_timer_service.h"

namespace wiesel::runtime {

/// Adds timers of keys K and namespaces N to `Base`, an operator with keyed state. A watermark goes
/// on when all timers that it makes due have been called; after some of them the operator stops,
/// so that its output can drain, and is resumed.
///
/// A class derived from it says what its timers do (TimerTarget).
/// Flink: AbstractStreamOperator, InternalTimeServiceManagerImpl (1.20).
template <class Base, class K, class N>
class WithTimers : public Base, protected TimerTarget<K, N> {
 public:
  using Base::Base;

  void processWatermark(int64_t watermark_ms) override {
    pending_watermark_ms_ = watermark_ms;
    resume();
  }

  bool hasPendingWork() const override { return holdsWatermark(); }
  bool holdsWatermark() const override { return pending_watermark_ms_.has_value(); }

  void resume() override {
    int fired = 0;
    bool done = false;
    this->guarded([&] {
      done = timers_->advanceWatermark(*pending_watermark_ms_,
                                       [&fired] { return ++fired >= Timers::kFiringsPerTurn; });
    });
    this->output_.flushRecords();
    if (done) this->passWatermarkOn(*std::exchange(pending_watermark_ms_, std::nullopt));
  }

 protected:
  /// To be called in open(). `service` is part of the states' names: "user-timers".
  void openTimers(const std::string& service) {
    timers_.emplace(service, this->backend(), *this->context().processing_time,
                    static_cast<TimerTarget<K, N>&>(*this));
  }

  /// Requires openTimers().
  InternalTimerService<K, N>& timers() { return *timers_; }
  const InternalTimerService<K, N>& timers() const { return *timers_; }

 private:
  using Timers = InternalTimerService<K, N>;

  std::optional<Timers> timers_;
  std::optional<int64_t> pending_watermark_ms_;  // While its timers are being called.
};

}  // namespace wiesel::runtime
