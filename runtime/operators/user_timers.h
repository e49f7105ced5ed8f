#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/serialization/void_namespace.h"
#include "runtime/functions/timer_service.h"
#include "runtime/operators/operator_context.h"
#include "runtime/time/internal_timer_service.h"

namespace wiesel::runtime {

/// The timers of the current key, for a function. Flink: SimpleTimerService (1.20).
template <class K>
class UserTimers final : public TimerService {
 public:
  explicit UserTimers(InternalTimerService<K, VoidNamespace>& timers) : timers_(timers) {}

  int64_t currentProcessingTime() const override { return timers_.currentProcessingTime(); }
  int64_t currentWatermark() const override { return timers_.currentWatermark(); }
  void registerEventTimeTimer(int64_t t) override { timers_.registerEventTimeTimer({}, t); }
  void registerProcessingTimeTimer(int64_t t) override {
    timers_.registerProcessingTimeTimer({}, t);
  }
  void deleteEventTimeTimer(int64_t t) override { timers_.deleteEventTimeTimer({}, t); }
  void deleteProcessingTimeTimer(int64_t t) override { timers_.deleteProcessingTimeTimer({}, t); }

 private:
  InternalTimerService<K, VoidNamespace>& timers_;
};

/// The clocks alone, for a function on a stream without keys. Flink: ProcessOperator (1.20).
class ClocksWithoutTimers final : public TimerService {
 public:
  explicit ClocksWithoutTimers(const OperatorContext& context) : context_(context) {}

  void setWatermark(int64_t watermark_ms) { watermark_ms_ = watermark_ms; }

  int64_t currentProcessingTime() const override {
    return context_.processing_time->currentTimeMs();
  }
  int64_t currentWatermark() const override { return watermark_ms_; }
  void registerEventTimeTimer(int64_t) override { refuse(); }
  void registerProcessingTimeTimer(int64_t) override { refuse(); }
  void deleteEventTimeTimer(int64_t) override { refuse(); }
  void deleteProcessingTimeTimer(int64_t) override { refuse(); }

 private:
  [[noreturn]] void refuse() const {
    throw std::logic_error("operator '" + context_.operator_name +
                           "' uses timers, but its input has no keys: call keyBy() before it");
  }

  const OperatorContext& context_;
  int64_t watermark_ms_ = std::numeric_limits<int64_t>::min();
};

}  // namespace wiesel::runtime
