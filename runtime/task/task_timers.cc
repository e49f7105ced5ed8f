#include "runtime/task/task_timers.h"

#include <algorithm>
#include <utility>

namespace wiesel::runtime {

void TaskTimers::registerTimer(int64_t timestamp_ms, std::function<void(int64_t)> callback) {
  timers_.push({timestamp_ms, next_number_++, std::move(callback)});
}

bool TaskTimers::fireOne() {
  if (timers_.empty() || timers_.top().timestamp_ms >= clock_.wallMs()) return false;
  const Entry due = timers_.top();
  timers_.pop();
  due.callback(due.timestamp_ms);
  return true;
}

std::optional<int64_t> TaskTimers::untilNextMs() const {
  if (timers_.empty()) return std::nullopt;
  return std::max<int64_t>(-1, timers_.top().timestamp_ms - clock_.wallMs()) + 1;
}

}  // namespace wiesel::runtime
