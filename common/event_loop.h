#pragma once

#include <cstdint>
#include <functional>

namespace wiesel {

/// Runs closures one after the other: the single thread of a JobMaster, a ResourceManager, a link.
///
/// Order:   by due time, then by the order of the calls: post() is due at once, so posts of one
///          thread run in their order, and a timer runs before what was posted after it was due.
/// Threads: any thread may call everything; closures never run inside the call.
/// Errors:  after the loop has stopped (or its simulated process was killed) calls are ignored and
///          the closures destroyed unrun. Closures must not throw.
/// Bounds:  none here; callers bound what they post.
class EventLoop {
 public:
  virtual ~EventLoop() = default;

  virtual void post(std::function<void()> closure) = 0;

  /// Runs `closure` once, `delay_ms` (monotonic time, >= 0) from now. Returns the timer's id, > 0.
  virtual uint64_t postAfter(int64_t delay_ms, std::function<void()> closure) = 0;

  /// Destroys the timer's closure unrun. No effect when it ran, runs or is unknown. Called on the
  /// loop itself it is exact: the closure does not run afterwards.
  virtual void cancelTimer(uint64_t timer_id) = 0;

  /// True inside a closure of this loop.
  virtual bool runsHere() const = 0;
};

}  // namespace wiesel
