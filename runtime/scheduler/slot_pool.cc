#include "runtime/scheduler/slot_pool.h"

#include <algorithm>

#include "common/check.h"

namespace wiesel::runtime {

void SlotPool::add(const std::vector<SlotOffer>& offers) {
  auto slot = slots_.begin();
  for (const SlotOffer& offer : offers) {
    slot = std::find(slot, slots_.end(), std::nullopt);
    WIESEL_CHECK(slot != slots_.end());
    *slot = offer;
  }
}

void SlotPool::removeTaskManager(const std::string& id) {
  for (std::optional<SlotOffer>& slot : slots_) {
    if (slot.has_value() && slot->task_manager_id == id) slot.reset();
  }
}

int32_t SlotPool::missing() const {
  return static_cast<int32_t>(std::count(slots_.begin(), slots_.end(), std::nullopt));
}

const std::string& SlotPool::taskManagerOf(int32_t slot) const {
  const std::optional<SlotOffer>& offer = slots_.at(static_cast<size_t>(slot));
  WIESEL_CHECK(offer.has_value()) << "slot " << slot;
  return offer->task_manager_id;
}

std::map<std::string, int32_t> SlotPool::taskManagers() const {
  std::map<std::string, int32_t> counts;
  for (const std::optional<SlotOffer>& slot : slots_) {
    if (slot.has_value()) ++counts[slot->task_manager_id];
  }
  return counts;
}

}  // namespace wiesel::runtime
