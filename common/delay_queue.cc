#include "common/delay_queue.h"

#include "common/check.h"

namespace wiesel {

uint64_t DelayQueue::push(int64_t due_ns, Closure closure) {
  const uint64_t id = ++last_id_;
  entries_.emplace(Position{due_ns, id}, std::move(closure));
  due_by_id_.emplace(id, due_ns);
  return id;
}

DelayQueue::Closure DelayQueue::cancel(uint64_t id) {
  const auto due = due_by_id_.find(id);
  if (due == due_by_id_.end()) return nullptr;
  const auto entry = entries_.find(Position{due->second, id});
  Closure closure = std::move(entry->second);
  entries_.erase(entry);
  due_by_id_.erase(due);
  return closure;
}

std::optional<int64_t> DelayQueue::nextDueNs() const {
  if (entries_.empty()) return std::nullopt;
  return entries_.begin()->first.first;
}

DelayQueue::Closure DelayQueue::pop() {
  WIESEL_CHECK(!entries_.empty());
  const auto first = entries_.begin();
  Closure closure = std::move(first->second);
  due_by_id_.erase(first->first.second);
  entries_.erase(first);
  return closure;
}

}  // namespace wiesel
