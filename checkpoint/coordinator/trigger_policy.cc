#include "checkpoint/coordinator/trigger_policy.h"

#include <algorithm>

#include "common/check.h"

namespace wiesel::checkpoint {

TriggerPolicy::TriggerPolicy(int64_t interval_ms, int64_t min_pause_ms, int max_concurrent)
    : interval_ms_(std::max(interval_ms, min_pause_ms)),
      min_pause_ms_(min_pause_ms),
      max_concurrent_(max_concurrent) {
  WIESEL_CHECK(interval_ms >= 1 && min_pause_ms >= 0 && max_concurrent >= 1)
      << interval_ms << " " << min_pause_ms << " " << max_concurrent;
}

void TriggerPolicy::start(int64_t now_ms, int64_t first_delay_ms) {
  next_tick_ms_ = now_ms + first_delay_ms;
  held_back_ = false;
}

void TriggerPolicy::stop() {
  next_tick_ms_.reset();
  held_back_ = false;
  wished_ = false;
}

bool TriggerPolicy::shouldBegin(int64_t now_ms, int in_progress) {
  if (!next_tick_ms_) return false;
  if (now_ms >= *next_tick_ms_) {
    held_back_ = true;
    const int64_t ticks_over = (now_ms - *next_tick_ms_) / interval_ms_ + 1;
    *next_tick_ms_ += ticks_over * interval_ms_;
  }
  if (in_progress >= max_concurrent_) return false;
  if (wished_) {
    wished_ = false;
    return true;
  }
  if (!held_back_) return false;
  held_back_ = false;
  const int64_t pause_ends_ms = last_completed_ms_ ? *last_completed_ms_ + min_pause_ms_ : now_ms;
  if (pause_ends_ms > now_ms) {
    next_tick_ms_ = pause_ends_ms;
    return false;
  }
  return true;
}

}  // namespace wiesel::checkpoint
