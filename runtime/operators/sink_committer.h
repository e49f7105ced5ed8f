#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/connector_api/sink.h"
#include "state/operator_state_store.h"

namespace wiesel::runtime {

/// Holds what a sink has prepared until its checkpoint is complete, in the operator's state, so
/// that it is committed after a failure, too.
///
/// Threads: the task thread only.
/// Flink:   CommittableCollector (1.20).
class SinkCommitter {
 public:
  SinkCommitter(std::unique_ptr<Committer> committer, state::OperatorStateStore& state)
      : committer_(std::move(committer)), pending_(state.getListState<Pending>({"committables"})) {}

  /// Commits what the restored checkpoint holds: that it was restored shows that it is complete.
  void commitRestored() {
    for (const Pending& pending : pending_.get()) committer_->commit(std::get<1>(pending));
    pending_.clear();
  }

  void add(int64_t checkpoint_id, std::vector<std::string> committables) {
    for (std::string& committable : committables) {
      pending_.add({checkpoint_id, std::move(committable)});
    }
  }

  /// Commits what belongs to this checkpoint and to those before it.
  void commitUpTo(int64_t checkpoint_id) {
    std::vector<Pending> later;
    for (const Pending& pending : pending_.get()) {
      if (std::get<0>(pending) <= checkpoint_id) {
        committer_->commit(std::get<1>(pending));
      } else {
        later.push_back(pending);
      }
    }
    pending_.update(std::move(later));
  }

 private:
  using Pending = std::tuple<int64_t, std::string>;  // Checkpoint id, committable.

  std::unique_ptr<Committer> committer_;
  OperatorListState<Pending>& pending_;
};

}  // namespace wiesel::runtime
