#include "checkpoint/coordinator/completed_checkpoint_store.h"

#include <utility>

#include "common/check.h"

namespace wiesel::checkpoint {

CompletedCheckpointStore::CompletedCheckpointStore(int num_retained) : num_retained_(num_retained) {
  WIESEL_CHECK(num_retained >= 1) << num_retained;
}

void CompletedCheckpointStore::addRestored(StoredCheckpoint checkpoint) {
  WIESEL_CHECK(entries_.empty());
  entries_.push_back({std::move(checkpoint), false});
}

std::vector<int64_t> CompletedCheckpointStore::add(StoredCheckpoint checkpoint) {
  WIESEL_CHECK(entries_.empty() || entries_.back().checkpoint.metadata.checkpoint_id <
                                       checkpoint.metadata.checkpoint_id);
  entries_.push_back({std::move(checkpoint), true});
  std::vector<int64_t> deletions;
  while (static_cast<int>(entries_.size()) > num_retained_) {
    const Entry& oldest = entries_.front();
    if (oldest.own) deletions.push_back(oldest.checkpoint.metadata.checkpoint_id);
    entries_.pop_front();
  }
  return deletions;
}

const StoredCheckpoint* CompletedCheckpointStore::latest() const {
  return entries_.empty() ? nullptr : &entries_.back().checkpoint;
}

const StoredCheckpoint* CompletedCheckpointStore::latestOwn() const {
  return entries_.empty() || !entries_.back().own ? nullptr : &entries_.back().checkpoint;
}

std::vector<int64_t> CompletedCheckpointStore::shutDown(Retention retention, JobEnd end) {
  std::vector<int64_t> deletions;
  if (!keepsCheckpoints(retention, end)) {
    for (const Entry& entry : entries_) {
      if (entry.own) deletions.push_back(entry.checkpoint.metadata.checkpoint_id);
    }
  }
  entries_.clear();
  return deletions;
}

}  // namespace wiesel::checkpoint
