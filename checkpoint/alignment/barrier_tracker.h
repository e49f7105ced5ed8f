#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "checkpoint/alignment/barrier_handler.h"

namespace wiesel::checkpoint {

/// Counts the barriers of each checkpoint and blocks no channel: records that overtook the last
/// barrier are in the snapshot and come again after a restore, so every record counts at least
/// once.
///
/// Several checkpoints can be under way. One that is complete drops the older ones without a word:
/// they could only complete later, with more records twice.
///
/// Promise: each id is aborted once at most, while more than one channel is open. With one open
///          channel, where nothing has to be counted, every barrier that is new triggers and every
///          cancellation that is new aborts, as it comes.
/// Flink:   CheckpointBarrierTracker (1.20).
class BarrierTracker final : public BarrierHandler {
 public:
  /// Checkpoints that are under way at most; beyond it the oldest is forgotten.
  static constexpr size_t kMaxTracked = 50;

  /// As in BarrierAligner. Without `after_tasks_finish` the end of a channel aborts what is under
  /// way.
  explicit BarrierTracker(int num_channels, bool after_tasks_finish = true);

  AlignmentActions onBarrier(int channel, int64_t checkpoint_id) override;
  AlignmentActions onCancellation(int channel, int64_t checkpoint_id) override;
  AlignmentActions onEndOfPartition(int channel) override;
  AlignmentActions onAbortNotification(int64_t checkpoint_id) override;

 private:
  struct Pending {
    int64_t checkpoint_id = 0;
    size_t awaited = 0;  // How many channels were open when it was first heard of.
    std::set<int> seen;  // Channels whose barrier or cancellation came, or that ended.
    bool aborted = false;

    bool isComplete() const { return seen.size() == awaited; }
  };
  using Iterator = std::vector<Pending>::iterator;

  void checkChannel(int channel) const;
  Iterator find(int64_t checkpoint_id);
  Pending& add(int64_t checkpoint_id);
  void complete(Iterator pending, AlignmentActions& actions);
  static void abort(Pending& pending, std::string_view reason, AlignmentActions& actions);

  const bool after_tasks_finish_;
  std::vector<bool> open_;
  size_t num_open_;
  std::vector<Pending> pending_;  // Ascending ids.
  int64_t newest_tracked_ = 0;    // What does not exceed it and is not pending is ignored.
  int64_t newest_seen_ = 0;       // Of all barriers, also those that need no tracking.
};

}  // namespace wiesel::checkpoint
