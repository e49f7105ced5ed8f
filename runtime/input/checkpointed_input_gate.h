#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/alignment/barrier_handler.h"
#include "common/clock.h"
#include "runtime/network/channel_queue.h"
#include "runtime/network/stream_element.h"

namespace wiesel::runtime {

/// All incoming channels of a task: picks the next element in turn, keeps barriers to itself, says
/// when the task has to take its snapshot, and in a job that is exactly once waits with channels
/// whose barrier has come while others' have not.
///
/// Threads: the task thread only; the channels' producers may push from any thread.
/// Flink:   CheckpointedInputGate, UnionInputGate,
/// InputProcessorUtil.createCheckpointBarrierHandler
///          (1.20).
class CheckpointedInputGate {
 public:
  struct Settings {
    bool exactly_once = true;        // execution.checkpointing.mode.
    bool after_tasks_finish = true;  // A channel that has ended counts as one with every barrier.
  };

  /// One element that is not the gate's own business, and the channel that it came from.
  struct Event {
    int channel = 0;
    StreamElement element;
  };

  /// A checkpoint whose barriers are all here.
  struct Trigger {
    int64_t checkpoint_id = 0;
    int64_t timestamp_ms = 0;    // When the coordinator began it.
    int64_t start_delay_ms = 0;  // From then to the first barrier, by the two machines' clocks.
    int64_t alignment_ms = 0;    // From the first barrier to the last.
  };

  /// What the gate wants done about checkpoints.
  struct Checkpoints {
    std::function<void(const Trigger&)> trigger;
    std::function<void(int64_t checkpoint_id, const std::string& reason)> abort;
  };

  /// Borrows `clock`. Requires a channel.
  CheckpointedInputGate(std::vector<std::shared_ptr<ChannelQueue>> channels,
                        const Settings& settings, const Clock& clock);

  /// Called when an element comes into a channel that was empty. Any thread.
  void setWakeup(const std::function<void()>& wakeup);

  /// The next element of an unblocked channel, after acting on the barriers before it. nullopt:
  /// nothing is there, or a barrier was acted on; `*progress` tells the two apart.
  std::optional<Event> poll(const Checkpoints& checkpoints, bool* progress);

  /// The coordinator has given up a checkpoint.
  void abortCheckpoint(int64_t checkpoint_id, const Checkpoints& checkpoints);

  /// True while nothing is taken from the channel, because others' barriers have not come.
  bool isBlocked(int channel) const { return channels_[static_cast<size_t>(channel)].blocked; }

  /// Drops everything, also what still comes.
  void close();

 private:
  struct Channel {
    std::shared_ptr<ChannelQueue> queue;  // Shared with the producer's end.
    bool blocked = false;
    bool ended = false;
  };

  /// The first barrier of a checkpoint.
  struct Arrival {
    int64_t timestamp_ms = 0;
    int64_t start_delay_ms = 0;
    int64_t came_ns = 0;
  };

  /// True when the element is the gate's own.
  bool actOn(int channel, const StreamElement& element, const Checkpoints& checkpoints);
  void noteArrival(const StreamElement& barrier);
  Trigger triggerOf(int64_t checkpoint_id);
  void obey(const checkpoint::AlignmentActions& actions, const Checkpoints& checkpoints);

  const Clock& clock_;
  std::vector<Channel> channels_;
  const std::unique_ptr<checkpoint::BarrierHandler> handler_;
  size_t next_ = 0;                      // Where the search begins.
  std::map<int64_t, Arrival> arrivals_;  // By checkpoint; of those that can still be triggered.
};

}  // namespace wiesel::runtime
