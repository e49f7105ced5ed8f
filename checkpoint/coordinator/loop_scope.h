#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "common/event_loop.h"
#include "common/executor.h"

namespace wiesel::checkpoint {

/// What an object on an event loop has under way there and on an executor; all of it ends with the
/// scope: closures that come later do nothing.
///
/// Threads: used and destroyed on the loop, or when the loop runs nothing any more.
/// Borrows: the loop and the executor, which must outlive the scope and all executor closures.
class LoopScope {
 public:
  LoopScope(EventLoop& loop, Executor& executor) : loop_(loop), executor_(executor) {}
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;
  ~LoopScope() { *open_ = false; }

  void post(std::function<void()> closure) { loop_.post(guarded(std::move(closure))); }

  uint64_t postAfter(int64_t delay_ms, std::function<void()> closure) {
    return loop_.postAfter(delay_ms, guarded(std::move(closure)));
  }

  void cancelTimer(uint64_t timer_id) { loop_.cancelTimer(timer_id); }

  /// Runs `work` on the executor, then `then` with its result on the loop. `work` must not touch
  /// what belongs to the loop.
  template <typename Work, typename Then>
  void execute(Work work, Then then) {
    ++executing_;
    executor_.execute([this, &loop = loop_, open = open_, work = std::move(work),
                       then = std::move(then)]() mutable {
      using Result = decltype(work());
      auto result = std::make_shared<Result>(work());
      loop.post([this, open = std::move(open), result = std::move(result),
                 then = std::move(then)]() mutable {
        if (!*open) return;
        --executing_;
        then(std::move(*result));
      });
    });
  }

  /// Executions whose `then` has not begun.
  int executing() const { return executing_; }

 private:
  std::function<void()> guarded(std::function<void()> closure) {
    return [open = open_, closure = std::move(closure)] {
      if (*open) closure();
    };
  }

  EventLoop& loop_;                                            // Not owned.
  Executor& executor_;                                         // Not owned.
  std::shared_ptr<bool> open_ = std::make_shared<bool>(true);  // Outlives the scope in closures.
  int executing_ = 0;
};

}  // namespace wiesel::checkpoint
