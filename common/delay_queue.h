#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace wiesel {

/// Closures that wait for their due time: the order of an EventLoop without its thread or clock.
/// Equal due times keep the order of push().
///
/// Threads: not thread-safe. Closures are handed out, never called here.
class DelayQueue {
 public:
  using Closure = std::function<void()>;

  /// Returns the entry's id, > 0, never used twice.
  uint64_t push(int64_t due_ns, Closure closure);

  /// Takes the entry out; null when it is not here any more.
  Closure cancel(uint64_t id);

  /// When the first entry is due; nullopt when empty.
  std::optional<int64_t> nextDueNs() const;

  /// Takes the first entry out. Requires that there is one.
  Closure pop();

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

 private:
  using Position = std::pair<int64_t, uint64_t>;  // Due time, id.

  uint64_t last_id_ = 0;
  std::map<Position, Closure> entries_;
  std::unordered_map<uint64_t, int64_t> due_by_id_;
};

}  // namespace wiesel
