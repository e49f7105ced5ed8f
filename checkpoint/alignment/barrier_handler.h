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

using AlignmentActions = std::vector<AlignmentAction>;

/// Decides, barrier by barrier, when a task takes its snapshot and which of its input channels wait
/// for it. The gate shows it every barrier, cancellation and end of partition in the order of
/// arrival, and obeys the actions.
///
/// Threads: not thread-safe; belongs to one task and is called from its mailbox thread.
/// Errors:  none. An unknown channel is a bug in the caller and aborts the process.
/// Flink:   CheckpointBarrierHandler (1.20).
class BarrierHandler {
 public:
  virtual ~BarrierHandler() = default;

  virtual AlignmentActions onBarrier(int channel, int64_t checkpoint_id) = 0;

  /// A task upstream has given the checkpoint up.
  virtual AlignmentActions onCancellation(int channel, int64_t checkpoint_id) = 0;

  /// The channel will deliver nothing more. Idempotent.
  virtual AlignmentActions onEndOfPartition(int channel) = 0;

  /// The coordinator has given the checkpoint up (timeout, a decline elsewhere): channels that
  /// waited for it are resumed, and what still comes of it is ignored. Never gives an abort. Ours:
  /// Flink waits for the cancellations that the upstream tasks send.
  virtual AlignmentActions onAbortNotification(int64_t checkpoint_id) = 0;
};

}  // namespace wiesel::checkpoint
