#include "runtime/resource/slot_manager.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace wiesel::runtime {

int32_t SlotManager::TaskManager::free() const {
  return static_cast<int32_t>(std::count(owner.begin(), owner.end(), std::string()));
}

void SlotManager::addTaskManager(const std::string& id, int32_t slots) {
  WIESEL_CHECK(find(id) == nullptr) << id;
  task_managers_.push_back({id, std::vector<std::string>(static_cast<size_t>(slots))});
}

void SlotManager::removeTaskManager(const std::string& id) {
  std::erase_if(task_managers_, [&](const TaskManager& one) { return one.id == id; });
}

void SlotManager::require(const std::string& job, int32_t slots) {
  if (slots == 0) {
    std::erase_if(requirements_, [&](const Requirement& one) { return one.job == job; });
    release(job);
    return;
  }
  for (Requirement& one : requirements_) {
    if (one.job != job) continue;
    one.slots = slots;
    return;
  }
  requirements_.push_back({job, slots});
}

std::vector<std::pair<std::string, std::vector<SlotOffer>>> SlotManager::assign() {
  std::vector<std::pair<std::string, std::vector<SlotOffer>>> assigned;
  for (const Requirement& one : requirements_) {
    const int32_t lacked = lackedBy(one.job);
    if (lacked == 0 || lacked > freeSlots()) continue;
    assigned.emplace_back(one.job, take(one.job, lacked));
  }
  return assigned;
}

int32_t SlotManager::totalSlots() const {
  size_t total = 0;
  for (const TaskManager& one : task_managers_) total += one.owner.size();
  return static_cast<int32_t>(total);
}

int32_t SlotManager::freeSlots() const {
  int32_t free = 0;
  for (const TaskManager& one : task_managers_) free += one.free();
  return free;
}

int32_t SlotManager::freeSlotsOf(const std::string& task_manager_id) const {
  const TaskManager* task_manager = find(task_manager_id);
  return task_manager == nullptr ? 0 : task_manager->free();
}

int32_t SlotManager::heldBy(const std::string& job) const {
  int64_t held = 0;
  for (const TaskManager& one : task_managers_) {
    held += std::count(one.owner.begin(), one.owner.end(), job);
  }
  return static_cast<int32_t>(held);
}

int32_t SlotManager::lackedBy(const std::string& job) const {
  return std::max(0, requiredBy(job) - heldBy(job));
}

std::map<std::string, int32_t> SlotManager::jobsOn(const std::string& task_manager_id) const {
  std::map<std::string, int32_t> jobs;
  const TaskManager* task_manager = find(task_manager_id);
  if (task_manager == nullptr) return jobs;
  for (const std::string& owner : task_manager->owner) {
    if (!owner.empty()) ++jobs[owner];
  }
  return jobs;
}

const SlotManager::TaskManager* SlotManager::find(const std::string& id) const {
  for (const TaskManager& one : task_managers_) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

int32_t SlotManager::requiredBy(const std::string& job) const {
  for (const Requirement& one : requirements_) {
    if (one.job == job) return one.slots;
  }
  return 0;
}

void SlotManager::release(const std::string& job) {
  for (TaskManager& one : task_managers_) {
    std::replace(one.owner.begin(), one.owner.end(), job, std::string());
  }
}

std::vector<SlotOffer> SlotManager::take(const std::string& job, int32_t count) {
  std::vector<SlotOffer> slots;
  for (; count > 0; --count) {
    TaskManager& from = nextTaskManager();
    const auto slot = std::find(from.owner.begin(), from.owner.end(), std::string());
    *slot = job;
    slots.push_back({from.id, static_cast<int32_t>(slot - from.owner.begin())});
  }
  return slots;
}

SlotManager::TaskManager& SlotManager::nextTaskManager() {
  TaskManager* best = nullptr;
  for (TaskManager& one : task_managers_) {
    const int32_t free = one.free();
    if (free == 0) continue;
    if (best == nullptr || (spread_ == SlotSpread::kEvenly && free > best->free())) best = &one;
  }
  WIESEL_CHECK(best != nullptr);
  return *best;
}

}  // namespace wiesel::runtime
