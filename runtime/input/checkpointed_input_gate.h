#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/alignment/barrier_aligner.h"
#include "runtime/network/channel_queue.h"
#include "runtime/network/stream_element.h"

namespace wiesel::runtime {

/// All incoming channels of a task: picks the next element in turn, keeps barriers to itself and
/// waits with channels whose barrier has come while others' have not.
///
/// Threads: the task thread only; the channels' producers may push from any thread.
/// Flink:   CheckpointedInputGate, UnionInputGate (1.20).
class CheckpointedInputGate {
 public:
  /// One element that is not the gate's own business, and the channel that it came from.
  struct Event {
    int channel = 0;
    StreamElement element;
  };

  /// What the gate wants done about checkpoints.
  struct Checkpoints {
    std::function<void(int64_t checkpoint_id, int64_t timestamp_ms)> trigger;
    std::function<void(int64_t checkpoint_id, const std::string& reason)> abort;
  };

  explicit CheckpointedInputGate(std::vector<std::shared_ptr<ChannelQueue>> channels);

  /// Called when an element comes into a channel that was empty. Any thread.
  void setWakeup(const std::function<void()>& wakeup);

  /// The next element of an unblocked channel, after acting on the barriers before it. nullopt:
  /// nothing is there, or a barrier was acted on; `*progress` tells the two apart.
  std::optional<Event> poll(const Checkpoints& checkpoints, bool* progress);

  /// The coordinator has given up a checkpoint.
  void abortCheckpoint(int64_t checkpoint_id, const Checkpoints& checkpoints);

  /// Drops everything, also what still comes.
  void close();

 private:
  struct Channel {
    std::shared_ptr<ChannelQueue> queue;  // Shared with the producer's end.
    bool blocked = false;
    bool ended = false;
  };

  void obey(const std::vector<checkpoint::AlignmentAction>& actions,
            const Checkpoints& checkpoints);

  std::vector<Channel> channels_;
  checkpoint::BarrierAligner aligner_;
  size_t next_ = 0;                // Where the search begins.
  int64_t newest_checkpoint_ = 0;  // Of all barriers; only it can still be triggered.
  int64_t newest_timestamp_ms_ = 0;
};

}  // namespace wiesel::runtime
