#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "checkpoint/coordinator/checkpoint_settings.h"
#include "checkpoint/storage/checkpoint_storage.h"

namespace wiesel::checkpoint {

/// The newest completed checkpoints of a job, as many as execution.checkpointing.num-retained says,
/// with the one that the job was started from until newer ones have taken its place. Decides what
/// has to be deleted; deletes nothing itself.
///
/// Threads: not thread-safe; belongs to the coordinator.
/// Flink:   DefaultCompletedCheckpointStore and CheckpointSubsumeHelper (1.20).
class CompletedCheckpointStore {
 public:
  /// Requires num_retained >= 1.
  explicit CompletedCheckpointStore(int num_retained);

  /// The checkpoint that the job starts from. It belongs to somebody else and is never deleted.
  void addRestored(StoredCheckpoint checkpoint);

  /// Returns the ids of the checkpoints to delete. Requires an id above all before.
  std::vector<int64_t> add(StoredCheckpoint checkpoint);

  /// What a restart goes on from, or null.
  const StoredCheckpoint* latest() const;

  /// The newest that this job has completed, or null.
  const StoredCheckpoint* latestOwn() const;

  /// Forgets all; returns the ids of those to delete.
  std::vector<int64_t> shutDown(Retention retention, JobEnd end);

 private:
  struct Entry {
    StoredCheckpoint checkpoint;
    bool own = true;
  };

  const int num_retained_;
  std::deque<Entry> entries_;  // Oldest first; num_retained_ at most, between calls.
};

}  // namespace wiesel::checkpoint
