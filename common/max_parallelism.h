#pragma once

namespace wiesel {

/// The largest max parallelism, and so the largest number of key groups and of subtasks, that an
/// operator can have. Flink: KeyGroupRangeAssignment.UPPER_BOUND_MAX_PARALLELISM (1.20).
inline constexpr int kMaxMaxParallelism = 32'768;

}  // namespace wiesel
