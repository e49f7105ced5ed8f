#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/resource/slot_manager.h"

namespace wiesel::runtime {

/// The slots that a job has, by the number that its subtasks know them by. A slot keeps its number
/// over restarts, so that subtasks stay where they were.
///
/// Threads: not thread-safe.
/// Flink:   SlotPool (1.20).
class SlotPool {
 public:
  explicit SlotPool(int32_t num_slots) : slots_(static_cast<size_t>(num_slots)) {}

  /// Fills the lowest missing numbers. Requires no more slots than are missing.
  void add(const std::vector<SlotOffer>& offers);
  /// All slots of the TaskManager are missing now.
  void removeTaskManager(const std::string& id);

  int32_t size() const { return static_cast<int32_t>(slots_.size()); }
  int32_t missing() const;
  /// Requires that it is not missing.
  const std::string& taskManagerOf(int32_t slot) const;
  /// The TaskManagers with slots of the job, and how many.
  std::map<std::string, int32_t> taskManagers() const;

 private:
  std::vector<std::optional<SlotOffer>> slots_;
};

}  // namespace wiesel::runtime
