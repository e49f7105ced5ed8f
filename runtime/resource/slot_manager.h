#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wiesel::runtime {

/// How slots of several TaskManagers are chosen.
enum class SlotSpread {
  kFill,    // TaskManagers in the order of their registration, each until it is full.
  kEvenly,  // Always the TaskManager with the most free slots.
};

/// One slot of a TaskManager.
struct SlotOffer {
  std::string task_manager_id;
  int32_t index = 0;

  bool operator==(const SlotOffer&) const = default;
};

/// Which slots there are and who has them. A job says how many it needs in all; it gets those that
/// it lacks at once or waits, so that two jobs never hold half of what each needs. Among waiting
/// jobs the first that can be served is.
///
/// Pure: it decides, the resource manager tells the jobs.
/// Threads: not thread-safe.
/// Flink:   DeclarativeSlotManager (1.20). Differs: Flink hands out slots one by one.
class SlotManager {
 public:
  explicit SlotManager(SlotSpread spread) : spread_(spread) {}

  /// Requires an id that is not there.
  void addTaskManager(const std::string& id, int32_t slots);

  /// Its slots are gone, also those that jobs had. Unknown ids are ignored.
  void removeTaskManager(const std::string& id);

  /// The job needs `slots` slots in all, from now on. 0 gives all of its slots back.
  void require(const std::string& job, int32_t slots);

  /// Slots newly given to jobs, since something changed; by job in the order of their requests.
  std::vector<std::pair<std::string, std::vector<SlotOffer>>> assign();

  int32_t totalSlots() const;
  int32_t freeSlots() const;
  int32_t freeSlotsOf(const std::string& task_manager_id) const;
  /// How many slots the job has, and how many of its requirement it still lacks.
  int32_t heldBy(const std::string& job) const;
  int32_t lackedBy(const std::string& job) const;
  /// The jobs that have slots of the TaskManager, and how many.
  std::map<std::string, int32_t> jobsOn(const std::string& task_manager_id) const;

 private:
  struct TaskManager {
    std::string id;
    std::vector<std::string> owner;  // Of each slot: a job, or empty.

    int32_t free() const;
  };
  struct Requirement {
    std::string job;
    int32_t slots = 0;
  };

  const TaskManager* find(const std::string& id) const;
  int32_t requiredBy(const std::string& job) const;
  void release(const std::string& job);
  std::vector<SlotOffer> take(const std::string& job, int32_t count);
  TaskManager& nextTaskManager();

  const SlotSpread spread_;
  std::vector<TaskManager> task_managers_;  // In the order of registration.
  std::vector<Requirement> requirements_;   // In the order of the first request.
};

}  // namespace wiesel::runtime
