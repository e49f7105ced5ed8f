#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "common/event_loop.h"

namespace wiesel::runtime {

/// An event loop as one object on it sees it: closures that are still to run when the ScopedLoop is
/// destroyed do not run any more, so they may capture the object that owns it.
///
/// Borrows: the loop.
/// Threads: created, used and destroyed on the loop, or after it has stopped.
class ScopedLoop {
 public:
  explicit ScopedLoop(EventLoop& loop) : loop_(loop) {}
  ScopedLoop(const ScopedLoop&) = delete;
  ScopedLoop& operator=(const ScopedLoop&) = delete;

  /// `closure`, made to do nothing once this is destroyed. It still has to be called on the loop.
  template <class Closure>
  auto guard(Closure closure) const {
    return
        [alive = std::weak_ptr<bool>(alive_), closure = std::move(closure)](auto&&... arguments) {
          if (!alive.expired()) closure(std::forward<decltype(arguments)>(arguments)...);
        };
  }

  void post(std::function<void()> closure) { loop_.post(guard(std::move(closure))); }
  uint64_t postAfter(int64_t delay_ms, std::function<void()> closure) {
    return loop_.postAfter(delay_ms, guard(std::move(closure)));
  }
  void cancelTimer(uint64_t timer_id) { loop_.cancelTimer(timer_id); }

 private:
  EventLoop& loop_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// A timer that a state or an object holds at most one of; destroyed or set again, it does not
/// fire.
class LoopTimer {
 public:
  explicit LoopTimer(EventLoop& loop) : loop_(loop) {}
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;
  ~LoopTimer() { cancel(); }

  void set(int64_t delay_ms, std::function<void()> closure) {
    cancel();
    id_ = loop_.postAfter(delay_ms, [this, closure = std::move(closure)] {
      id_ = 0;
      const std::function<void()> run = closure;  // It may set or destroy the timer.
      run();
    });
  }
  void cancel() {
    if (id_ != 0) loop_.cancelTimer(id_);
    id_ = 0;
  }
  bool isSet() const { return id_ != 0; }

 private:
  EventLoop& loop_;
  uint64_t id_ = 0;
};

}  // namespace wiesel::runtime
