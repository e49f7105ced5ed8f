#pragma once

#include <vector>

#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// Deals the operator state of `old_subtasks` (one entry per old subtask, with no handle or some)
/// out to `new_parallelism` subtasks. Pure.
///
/// Union state goes to everybody. When the parallelism differs, split state is dealt out element by
/// element, as evenly as possible and in order, and each new subtask gets one old subtask's copy of
/// the broadcast state; when it does not, both stay where they were.
///
/// Flink: RoundRobinOperatorStateRepartitioner (1.20). States are visited in the order of their
///        names; Flink's order is that of a hash map.
std::vector<std::vector<state::OperatorStateHandle>> repartitionOperatorState(
    const std::vector<std::vector<state::OperatorStateHandle>>& old_subtasks, int new_parallelism);

}  // namespace wiesel::checkpoint
