#include "checkpoint/alignment/barrier_tracker.h"

#include <algorithm>
#include <string_view>

#include "common/check.h"

namespace wiesel::checkpoint {
namespace {

using Kind = AlignmentAction::Kind;

constexpr std::string_view kCancelled = "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER";
constexpr std::string_view kInputEnded = "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM";

AlignmentAction abortOf(int64_t checkpoint_id, std::string_view reason) {
  return {.kind = Kind::kAbort, .checkpoint_id = checkpoint_id, .reason = reason};
}

AlignmentAction triggerOf(int64_t checkpoint_id) {
  return {.kind = Kind::kTrigger, .checkpoint_id = checkpoint_id};
}

}  // namespace

BarrierTracker::BarrierTracker(int num_channels, bool after_tasks_finish)
    : after_tasks_finish_(after_tasks_finish),
      open_(static_cast<size_t>(num_channels), true),
      num_open_(static_cast<size_t>(num_channels)) {
  WIESEL_CHECK(num_channels >= 1);
}

AlignmentActions BarrierTracker::onBarrier(int channel, int64_t checkpoint_id) {
  checkChannel(channel);
  newest_seen_ = std::max(newest_seen_, checkpoint_id);
  AlignmentActions actions;
  const auto found = find(checkpoint_id);
  if (found != pending_.end()) {
    newest_tracked_ = std::max(newest_tracked_, checkpoint_id);
    found->seen.insert(channel);
    if (found->isComplete()) complete(found, actions);
    return actions;
  }
  if (checkpoint_id <= newest_tracked_) return actions;
  if (num_open_ == 1) return {triggerOf(checkpoint_id)};
  newest_tracked_ = checkpoint_id;
  add(checkpoint_id).seen.insert(channel);
  return actions;
}

AlignmentActions BarrierTracker::onCancellation(int channel, int64_t checkpoint_id) {
  checkChannel(channel);
  newest_seen_ = std::max(newest_seen_, checkpoint_id);
  const bool is_new = checkpoint_id > newest_tracked_ && find(checkpoint_id) == pending_.end();
  if (is_new && num_open_ == 1) return {abortOf(checkpoint_id, kCancelled)};
  AlignmentActions actions;
  // The cancellation comes behind all barriers that this channel had for older checkpoints.
  while (!pending_.empty() && pending_.front().checkpoint_id < checkpoint_id) {
    abort(pending_.front(), kCancelled, actions);
    pending_.erase(pending_.begin());
  }
  if (is_new) {
    newest_tracked_ = checkpoint_id;
    add(checkpoint_id);
  }
  // It is counted like a barrier, so that the checkpoint is forgotten when no more can come of it.
  const auto found = find(checkpoint_id);
  if (found == pending_.end()) return actions;
  abort(*found, kCancelled, actions);
  found->seen.insert(channel);
  if (found->isComplete()) pending_.erase(found);
  return actions;
}

AlignmentActions BarrierTracker::onEndOfPartition(int channel) {
  checkChannel(channel);
  AlignmentActions actions;
  if (!open_[static_cast<size_t>(channel)]) return actions;
  open_[static_cast<size_t>(channel)] = false;
  --num_open_;
  if (!after_tasks_finish_) {
    for (Pending& pending : pending_) abort(pending, kInputEnded, actions);
    pending_.clear();
    return actions;
  }
  // The newest that waited only for this channel; it drops the older ones.
  for (auto pending = pending_.end(); pending != pending_.begin();) {
    --pending;
    pending->seen.insert(channel);
    if (!pending->isComplete()) continue;
    complete(pending, actions);
    break;
  }
  return actions;
}

AlignmentActions BarrierTracker::onAbortNotification(int64_t checkpoint_id) {
  const auto found = find(checkpoint_id);
  if (found != pending_.end()) {
    found->aborted = true;
  } else if (checkpoint_id > newest_seen_ && num_open_ > 0) {
    add(checkpoint_id).aborted = true;  // Its barriers will come.
  }
  return {};
}

BarrierTracker::Iterator BarrierTracker::find(int64_t checkpoint_id) {
  return std::find_if(pending_.begin(), pending_.end(), [checkpoint_id](const Pending& pending) {
    return pending.checkpoint_id == checkpoint_id;
  });
}

BarrierTracker::Pending& BarrierTracker::add(int64_t checkpoint_id) {
  if (pending_.size() == kMaxTracked) pending_.erase(pending_.begin());
  const auto place = std::find_if(
      pending_.begin(), pending_.end(),
      [checkpoint_id](const Pending& pending) { return pending.checkpoint_id > checkpoint_id; });
  return *pending_.insert(place, {checkpoint_id, num_open_, {}, false});
}

void BarrierTracker::complete(Iterator pending, AlignmentActions& actions) {
  if (!pending->aborted) actions.push_back(triggerOf(pending->checkpoint_id));
  pending_.erase(pending_.begin(), pending + 1);
}

void BarrierTracker::abort(Pending& pending, std::string_view reason, AlignmentActions& actions) {
  if (!pending.aborted) actions.push_back(abortOf(pending.checkpoint_id, reason));
  pending.aborted = true;
}

void BarrierTracker::checkChannel(int channel) const {
  WIESEL_CHECK(channel >= 0 && channel < static_cast<int>(open_.size())) << "channel " << channel;
}

}  // namespace wiesel::checkpoint
