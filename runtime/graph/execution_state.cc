#include "runtime/graph/execution_state.h"

namespace wiesel::runtime {

bool isTerminal(ExecutionState state) {
  return state == proto::FINISHED || state == proto::CANCELED || state == proto::FAILED;
}

bool canFollow(ExecutionState from, ExecutionState to) {
  if (isTerminal(from) || from == to) return false;
  switch (to) {
    case proto::FAILED:
      return true;
    case proto::CANCELED:
      return true;
    case proto::CANCELING:
      return true;
    case proto::FINISHED:
      return from == proto::DEPLOYING || from == proto::INITIALIZING || from == proto::RUNNING;
    default:
      // The way up: a report may skip a state, and never goes back.
      return from != proto::CANCELING && to > from;
  }
}

const std::string& nameOf(ExecutionState state) { return proto::TaskState_Name(state); }

ExecutionState aggregateState(const StateCounts& counts, int32_t parallelism) {
  if (counts[proto::FAILED] > 0) return proto::FAILED;
  if (counts[proto::CANCELING] > 0) return proto::CANCELING;
  if (counts[proto::CANCELED] > 0) return proto::CANCELED;
  if (counts[proto::INITIALIZING] > 0) return proto::INITIALIZING;
  if (counts[proto::RUNNING] > 0) return proto::RUNNING;
  if (counts[proto::FINISHED] == parallelism) return proto::FINISHED;
  return counts[proto::FINISHED] > 0 ? proto::RUNNING : proto::CREATED;
}

}  // namespace wiesel::runtime
