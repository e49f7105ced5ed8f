#pragma once

#include <cstdint>
#include <vector>

#include "common/ids.h"
#include "state/snapshot/state_handle.h"

namespace wiesel::checkpoint {

/// What one task hands in for one checkpoint. Flink: TaskStateSnapshot (1.20).
struct TaskSnapshot {
  struct Operator {
    OperatorId id;
    state::SubtaskState state;
  };

  std::vector<Operator> operators;  // Those with state.
  bool finished = false;            // Its input had ended: nothing will come after this snapshot.
  int64_t sync_ms = 0;
  int64_t async_ms = 0;
  int64_t alignment_ms = 0;
};

}  // namespace wiesel::checkpoint
