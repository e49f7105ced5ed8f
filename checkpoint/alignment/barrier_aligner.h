#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wiesel::checkpoint {

/// One thing that an input gate has to do, in the order in which the actions stand.
struct AlignmentAction {
  enum class Kind {
    kBlock,    // Take nothing more from `channel`.
    kResume,   // Take from `channel` again.
    kTrigger,  // All barriers of `checkpoint_id` are here: the task takes its snapshot now.
    kAbort,    // The task gives `checkpoint_id` up, tells its outputs and declines with `reason`.
  };

  Kind kind = Kind::kBlock;
  int channel = -1;              // kBlock, kResume.
  int64_t checkpoint_id = 0;     // kTrigger, kAbort.
  std::string_view reason = {};  // kAbort: a name of FailureReason, static storage.

  bool operator==(const AlignmentAction&) const = default;
};

/// Decides, barrier by barrier, which input channels of a task wait and when the task takes its
/// snapshot, such that every record before a barrier and none after it is in the snapshot.
///
/// The gate shows it every barrier, cancellation and end of partition in the order of arrival, and
/// obeys the actions. A channel that is blocked delivers nothing, so no second barrier can come
/// from it before it is resumed.
///
/// Threads: not thread-safe; belongs to one task and is called from its mailbox thread.
/// Errors:  none. An unknown channel is a bug in the caller and aborts the process.
/// Promise: checkpoint ids triggered strictly increase; each id is triggered or aborted once at
/// most. Flink:   SingleCheckpointBarrierHandler.aligned without alignment timeout (1.20).
class BarrierAligner {
 public:
  /// With `after_tasks_finish` (Flink's execution.checkpointing.checkpoints-after-tasks-finish) a
  /// channel that has ended counts as one that has sent every barrier; else its end aborts.
  explicit BarrierAligner(int num_channels, bool after_tasks_finish = true);

  std::vector<AlignmentAction> onBarrier(int channel, int64_t checkpoint_id);

  /// A task upstream has given the checkpoint up.
  std::vector<AlignmentAction> onCancellation(int channel, int64_t checkpoint_id);

  /// The channel will deliver nothing more. Idempotent.
  std::vector<AlignmentAction> onEndOfPartition(int channel);

  /// The coordinator has given the checkpoint up (timeout, a decline elsewhere): its alignment ends
  /// with resumes only, and what still comes of it is ignored. Ours: Flink waits for the
  /// cancellation that the upstream tasks send.
  std::vector<AlignmentAction> onAbortNotification(int64_t checkpoint_id);

  /// The checkpoint that is being aligned, or 0.
  int64_t aligning() const { return aligning_ ? checkpoint_id_ : 0; }

 private:
  void begin(int64_t checkpoint_id);
  void finish(std::vector<AlignmentAction>& actions);
  void triggerIfComplete(std::vector<AlignmentAction>& actions);

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
