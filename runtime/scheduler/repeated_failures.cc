#include "runtime/scheduler/repeated_failures.h"

#include <algorithm>
#include <utility>

namespace wiesel::runtime {

std::optional<int64_t> RepeatedFailures::onFailure(const std::string& cause, int64_t now_ms) {
  std::erase_if(known_,
                [now_ms](const Known& known) { return now_ms - known.seen_ms > kMaxIntervalMs; });
  const auto found = std::find_if(known_.begin(), known_.end(),
                                  [&cause](const Known& known) { return known.cause == cause; });
  if (found == known_.end()) {
    if (known_.size() == kMaxCauses) known_.erase(known_.begin());
    known_.push_back({.cause = cause, .seen_ms = now_ms, .said_ms = now_ms});
    return 1;
  }
  std::rotate(found, found + 1, known_.end());
  Known& known = known_.back();
  known.seen_ms = now_ms;
  ++known.unsaid;
  if (now_ms - known.said_ms < known.interval_ms) return std::nullopt;
  known.said_ms = now_ms;
  known.interval_ms = std::min(2 * known.interval_ms, kMaxIntervalMs);
  return std::exchange(known.unsaid, 0);
}

}  // namespace wiesel::runtime
