#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "runtime/functions/output_tag.h"
#include "runtime/functions/timer_service.h"
#include "runtime/operators/output.h"
#include "state/keyed_state_backend.h"

namespace wiesel::runtime {

/// The record or the timer for which an operator is calling its function, and what of the operator
/// the function may reach.
struct CurrentElement {
  std::optional<int64_t> timestamp_ms;         // A timer's time; none: a record without timestamp.
  TimeDomain domain = TimeDomain::EVENT_TIME;  // Of a timer.
  TimerService* timers = nullptr;              // Not owned, as below.
  OutputBase* output = nullptr;

  /// Makes a record of the batch the one at hand.
  template <class In>
  void setTo(const Batch<In>& batch, size_t index) {
    timestamp_ms = batch.has_timestamps ? std::optional(batch.timestamps_ms[index]) : std::nullopt;
  }
};

/// What a process function is told about the record at hand.
///
/// Threads: the task's own, only during the call that got the context.
/// Flink:   ProcessFunction.Context (1.20).
class ProcessContext {
 public:
  /// `element` outlives the context and changes from call to call.
  explicit ProcessContext(const CurrentElement& element) : element_(element) {}

  /// Of the record at hand, or of the timer; none if the record has no timestamp.
  std::optional<int64_t> timestamp() const { return element_.timestamp_ms; }

  TimerService& timerService() { return *element_.timers; }

  /// Puts `value` out at the side, with the timestamp of the record or timer at hand; the smallest
  /// int64_t when the record has none, as in Flink. Nothing happens when nobody reads the side.
  /// Errors: std::logic_error when the side is read with another type.
  template <class S>
  void output(const OutputTag<S>& tag, std::type_identity_t<S> value) {
    element_.output->emitSide(tag, std::move(value), element_.timestamp_ms.value_or(kNoTimestamp));
  }

 protected:
  const CurrentElement& element_;

 private:
  static constexpr int64_t kNoTimestamp = std::numeric_limits<int64_t>::min();
};

/// The same on a keyed stream. Flink: KeyedProcessFunction.Context (1.20).
template <class K>
class KeyedProcessContext : public ProcessContext {
 public:
  KeyedProcessContext(const CurrentElement& element,
                      const state::TypedKeyedStateBackend<K>& backend)
      : ProcessContext(element), backend_(backend) {}

  /// The key of the record or timer at hand.
  const K& getCurrentKey() const { return backend_.currentKey(); }

 private:
  const state::TypedKeyedStateBackend<K>& backend_;
};

/// What a function is told about a timer that has come. Flink: OnTimerContext (1.20).
template <class Context>
class TimerContext : public Context {
 public:
  using Context::Context;

  TimeDomain timeDomain() const { return this->element_.domain; }
};

}  // namespace wiesel::runtime
