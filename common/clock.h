#pragma once

#include <atomic>
#include <cstdint>

namespace wiesel {

/// The time of the process. Whoever reads time takes a Clock in its constructor.
///
/// Threads: every implementation is thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Milliseconds since the epoch, UTC. May jump when the machine's clock is set.
  virtual int64_t wallMs() const = 0;

  /// Nanoseconds since some fixed point; never goes back. For measuring spans.
  virtual int64_t monotonicNs() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
 public:
  int64_t wallMs() const override;
  int64_t monotonicNs() const override;
};

/// A clock that moves only when told to, for tests.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t wall_ms = 0) : now_ms_(wall_ms) {}

  int64_t wallMs() const override { return now_ms_; }
  int64_t monotonicNs() const override { return now_ms_ * 1'000'000; }

  void setMs(int64_t wall_ms) { now_ms_ = wall_ms; }
  void advanceMs(int64_t delta_ms) { now_ms_ += delta_ms; }

 private:
  std::atomic<int64_t> now_ms_;
};

}  // namespace wiesel
