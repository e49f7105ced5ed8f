#include "state/key_group.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace wiesel::state {

KeyGroupRange KeyGroupRange::intersect(const KeyGroupRange& other) const {
  const KeyGroupRange common = {std::max(start, other.start), std::min(end, other.end)};
  return common.empty() ? KeyGroupRange() : common;
}

KeyGroupRange keyGroupRangeFor(int subtask, int parallelism, int max_parallelism) {
  WIESEL_CHECK(isValidParallelism(parallelism, max_parallelism))
      << "parallelism " << parallelism << ", max parallelism " << max_parallelism;
  WIESEL_CHECK(0 <= subtask && subtask < parallelism)
      << "subtask " << subtask << " of " << parallelism;
  const int start = (subtask * max_parallelism + parallelism - 1) / parallelism;
  const int end = ((subtask + 1) * max_parallelism - 1) / parallelism;
  return {start, end};
}

int defaultMaxParallelism(int parallelism) {
  WIESEL_CHECK(isValidParallelism(parallelism, kMaxMaxParallelism))
      << "parallelism " << parallelism;
  const unsigned half_more = static_cast<unsigned>(parallelism + parallelism / 2);
  return std::clamp(static_cast<int>(std::bit_ceil(half_more)), kMinDefaultMaxParallelism,
                    kMaxMaxParallelism);
}

}  // namespace wiesel::state
