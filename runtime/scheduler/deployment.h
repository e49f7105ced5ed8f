#pragma once

#include <functional>
#include <map>
#include <string>

#include "checkpoint/restore/state_assignment.h"
#include "runtime/graph/execution_graph.h"
#include "runtime/proto/control.pb.h"

namespace wiesel::runtime {

/// Where a subtask runs.
struct Placement {
  std::string worker_id;
  std::string task_manager_id;
  std::string data_address;
};

using PlacementOf = std::function<const Placement&(SubtaskId)>;

/// What the worker of `id` needs to know to run it: where its inputs come from, how many channels
/// its outputs have, the state to start from. Pure. `restore.tasks` may be empty: from nothing.
///
/// Flink: TaskDeploymentDescriptorFactory (1.20).
proto::TaskDeployment describeTask(const ExecutionGraph& graph, SubtaskId id,
                                   const PlacementOf& placement_of,
                                   const checkpoint::JobRestore& restore);

}  // namespace wiesel::runtime
