#pragma once

#include <cstdint>
#include <vector>

#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// Which slot of a job each subtask runs in: subtask i of every vertex of a slot sharing group
/// shares the group's slot i, so a group needs as many slots as its widest vertex has subtasks.
struct SlotPlan {
  int32_t num_slots = 0;
  std::vector<int32_t> first_slot;  // Of each vertex's group: subtask i runs in first_slot[v] + i.
};

/// Pure. Groups get their slots in the order in which the graph first names them; an empty name
/// means "default". Flink: SlotSharingGroup, LocalInputPreferredSlotSharingStrategy (1.20).
SlotPlan planSlots(const proto::JobGraph& graph);

}  // namespace wiesel::runtime
