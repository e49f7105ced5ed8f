#pragma once

#include <cstdint>

#include "common/hash/murmur.h"
#include "common/max_parallelism.h"

namespace wiesel::state {

/// The least max parallelism of an operator that does not say; the largest is kMaxMaxParallelism.
inline constexpr int kMinDefaultMaxParallelism = 128;

/// Key groups `start` to `end`, both inclusive; empty when end < start.
/// Flink: KeyGroupRange (1.20).
struct KeyGroupRange {
  int start = 0;
  int end = -1;

  int size() const { return end < start ? 0 : end - start + 1; }
  bool empty() const { return end < start; }
  bool contains(int key_group) const { return start <= key_group && key_group <= end; }
  /// The key groups of both; empty, not disjoint, when there are none.
  KeyGroupRange intersect(const KeyGroupRange& other) const;

  /// Empty ranges are all equal.
  friend bool operator==(const KeyGroupRange& a, const KeyGroupRange& b) {
    return (a.empty() && b.empty()) || (a.start == b.start && a.end == b.end);
  }
};

/// The key group of a key with Java's `hash_code`, see Serializer<Key>::hashCode(). Key groups are
/// what keyed state is divided by: they are part of a savepoint and never change with the
/// parallelism.
///
/// Requires 1 <= max_parallelism <= kMaxMaxParallelism; not checked, since it is called per record.
/// Flink:   KeyGroupRangeAssignment.computeKeyGroupForKeyHash (1.20).
constexpr int keyGroupFor(int32_t hash_code, int max_parallelism) {
  return murmurHash(hash_code) % max_parallelism;
}

/// The subtask that owns `key_group`. Requires 0 <= key_group < max_parallelism and
/// 1 <= parallelism <= max_parallelism; not checked.
/// Flink:   KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup (1.20).
constexpr int subtaskFor(int key_group, int parallelism, int max_parallelism) {
  return key_group * parallelism / max_parallelism;
}

/// The key groups that `subtask` owns: those with subtaskFor() == subtask. Aborts unless
/// 0 <= subtask < parallelism <= max_parallelism <= kMaxMaxParallelism.
/// Flink:   KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex (1.20).
KeyGroupRange keyGroupRangeFor(int subtask, int parallelism, int max_parallelism);

/// The max parallelism of an operator that was given none. Aborts unless
/// 1 <= parallelism <= kMaxMaxParallelism.
/// Flink:   KeyGroupRangeAssignment.computeDefaultMaxParallelism (1.20).
int defaultMaxParallelism(int parallelism);

/// Whether an operator may run with these numbers; the rules of keyGroupRangeFor().
constexpr bool isValidParallelism(int parallelism, int max_parallelism) {
  return 1 <= parallelism && parallelism <= max_parallelism &&
         max_parallelism <= kMaxMaxParallelism;
}

}  // namespace wiesel::state
