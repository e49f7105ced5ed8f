#pragma once

#include <cstdint>
#include <vector>

#include "checkpoint/alignment/barrier_handler.h"

namespace wiesel::checkpoint {

/// Blocks each channel whose barrier has come until those of all others have, such that every
/// record before a barrier and none after it is in the snapshot: exactly once.
///
/// A channel that is blocked delivers nothing, so no second barrier can come from it before it is
/// resumed.
///
/// Promise: checkpoint ids triggered strictly increase; each id is triggered or aborted once at
///          most.
/// Flink:   SingleCheckpointBarrierHandler.aligned without alignment timeout (1.20).
class BarrierAligner final : public BarrierHandler {
 public:
  /// With `after_tasks_finish` (Flink's execution.checkpointing.checkpoints-after-tasks-finish) a
  /// channel that has ended counts as one that has sent every barrier; else its end aborts.
  explicit BarrierAligner(int num_channels, bool after_tasks_finish = true);

  AlignmentActions onBarrier(int channel, int64_t checkpoint_id) override;
  AlignmentActions onCancellation(int channel, int64_t checkpoint_id) override;
  AlignmentActions onEndOfPartition(int channel) override;
  AlignmentActions onAbortNotification(int64_t checkpoint_id) override;

  /// The checkpoint that is being aligned, or 0.
  int64_t aligning() const { return aligning_ ? checkpoint_id_ : 0; }

 private:
  void begin(int64_t checkpoint_id);
  void finish(AlignmentActions& actions);
  void triggerIfComplete(AlignmentActions& actions);

  struct Channel {
    bool open = true;
    bool blocked = false;
    bool has_barrier = false;  // Of checkpoint_id_, or ended during its alignment.
  };

  Channel& channelAt(int index);

  const bool after_tasks_finish_;
  std::vector<Channel> channels_;
  int64_t checkpoint_id_ = 0;  // The newest id seen; older ones are ignored.
  bool aligning_ = false;
};

}  // namespace wiesel::checkpoint
