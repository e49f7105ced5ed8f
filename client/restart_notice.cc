#include "client/restart_notice.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace wiesel::client {

std::optional<std::string> RestartNotice::look(int64_t restarts, const std::string& cause) {
  ++ticks_since_said_;
  ++ticks_since_seen_;
  if (ticks_since_seen_ > kMaxIntervalTicks) interval_ticks_ = 1;
  if (restarts > seen_) ticks_since_seen_ = 0;
  seen_ = restarts;
  if (restarts <= said_ || ticks_since_said_ < interval_ticks_) return std::nullopt;
  said_ = restarts;
  ticks_since_said_ = 0;
  interval_ticks_ = std::min(2 * interval_ticks_, kMaxIntervalTicks);
  return absl::StrFormat("%s: the job has restarted %d %s", cause, restarts,
                         restarts == 1 ? "time" : "times");
}

}  // namespace wiesel::client
