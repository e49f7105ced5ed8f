#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/proto/control.pb.h"

namespace wiesel::runtime {

/// The state of one attempt of one subtask. Flink: ExecutionState (1.20), without RECONCILING.
using ExecutionState = proto::TaskState;

constexpr int kNumExecutionStates = proto::TaskState_ARRAYSIZE;

/// When an attempt entered each state, in epoch milliseconds; 0: never.
using StateTimestamps = std::array<int64_t, kNumExecutionStates>;

/// How many of something are in each state.
using StateCounts = std::array<int32_t, kNumExecutionStates>;

/// FINISHED, CANCELED or FAILED: nothing follows.
bool isTerminal(ExecutionState state);

/// Whether an attempt may go from one state to the other; never to the state it is in.
bool canFollow(ExecutionState from, ExecutionState to);

/// Flink's name: "RUNNING".
const std::string& nameOf(ExecutionState state);

/// The state of a vertex whose subtasks are in these states: the worst that one is in (FAILED,
/// CANCELING, CANCELED), FINISHED when all are, INITIALIZING or RUNNING when one is, else CREATED.
/// Flink: ExecutionJobVertex.getAggregateJobVertexState (1.20).
ExecutionState aggregateState(const StateCounts& counts, int32_t parallelism);

}  // namespace wiesel::runtime
