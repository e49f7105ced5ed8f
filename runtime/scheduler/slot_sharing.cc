#include "runtime/scheduler/slot_sharing.h"

#include <algorithm>
#include <map>
#include <string>

namespace wiesel::runtime {

SlotPlan planSlots(const proto::JobGraph& graph) {
  struct Group {
    int32_t width = 0;
    int32_t first_slot = 0;
  };
  std::map<std::string, size_t> index_of_group;
  std::vector<Group> groups;
  std::vector<size_t> group_of_vertex;
  for (const proto::JobVertex& vertex : graph.vertices()) {
    const std::string& name = vertex.slot_sharing_group();
    const auto [found, added] =
        index_of_group.emplace(name.empty() ? "default" : name, groups.size());
    if (added) groups.emplace_back();
    Group& group = groups[found->second];
    group.width = std::max(group.width, vertex.parallelism());
    group_of_vertex.push_back(found->second);
  }
  SlotPlan plan;
  for (Group& group : groups) {
    group.first_slot = plan.num_slots;
    plan.num_slots += group.width;
  }
  for (const size_t group : group_of_vertex) plan.first_slot.push_back(groups[group].first_slot);
  return plan;
}

}  // namespace wiesel::runtime
