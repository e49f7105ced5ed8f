#include "runtime/task/late_records.h"

#include <algorithm>
#include <limits>

namespace wiesel::runtime {

void LateRecords::watch(const OperatorContext& context) {
  const Counter* dropped = context.metrics.find(kNumLateRecordsDropped);
  if (dropped != nullptr) {
    watched_.push_back({&context, dropped, 0, std::numeric_limits<int64_t>::min()});
  }
}

bool LateRecords::hasNews() const { return std::ranges::any_of(watched_, &Watched::hasNews); }

std::optional<int64_t> LateRecords::untilDueMs(int64_t now_ms) const {
  std::optional<int64_t> soonest;
  for (const Watched& one : watched_) {
    if (!one.hasNews()) continue;
    const int64_t until_ms = one.next_notice_ms <= now_ms ? 0 : one.next_notice_ms - now_ms;
    soonest = soonest ? std::min(*soonest, until_ms) : until_ms;
  }
  return soonest;
}

}  // namespace wiesel::runtime
