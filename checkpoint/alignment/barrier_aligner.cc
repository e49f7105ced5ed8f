#include "checkpoint/alignment/barrier_aligner.h"

#include "common/check.h"

namespace wiesel::checkpoint {
namespace {

using Actions = AlignmentActions;
using Kind = AlignmentAction::Kind;

void abort(int64_t checkpoint_id, std::string_view reason, Actions& actions) {
  actions.push_back({.kind = Kind::kAbort, .checkpoint_id = checkpoint_id, .reason = reason});
}

}  // namespace

BarrierAligner::BarrierAligner(int num_channels, bool after_tasks_finish)
    : after_tasks_finish_(after_tasks_finish), channels_(num_channels) {
  WIESEL_CHECK(num_channels >= 1);
}

Actions BarrierAligner::onBarrier(int channel, int64_t checkpoint_id) {
  Channel& input = channelAt(channel);
  Actions actions;
  const bool known = checkpoint_id == checkpoint_id_ && aligning_;
  if (checkpoint_id <= checkpoint_id_ && !known) return actions;
  if (!known) {
    if (aligning_) {
      const int64_t subsumed = checkpoint_id_;
      finish(actions);
      abort(subsumed, "CHECKPOINT_DECLINED_SUBSUMED", actions);
    }
    begin(checkpoint_id);
  }
  if (input.blocked) return actions;
  input.blocked = true;
  input.has_barrier = true;
  actions.push_back({.kind = Kind::kBlock, .channel = channel});
  triggerIfComplete(actions);
  return actions;
}

Actions BarrierAligner::onCancellation(int channel, int64_t checkpoint_id) {
  channelAt(channel);
  Actions actions;
  const bool known = checkpoint_id == checkpoint_id_ && aligning_;
  if (checkpoint_id <= checkpoint_id_ && !known) return actions;
  // An older alignment that is under way ends too, without an abort of its own: the cancellation
  // overtook its barriers, so the coordinator has given it up already.
  if (aligning_) finish(actions);
  checkpoint_id_ = checkpoint_id;
  abort(checkpoint_id, "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER", actions);
  return actions;
}

Actions BarrierAligner::onEndOfPartition(int channel) {
  Channel& input = channelAt(channel);
  Actions actions;
  if (!input.open) return actions;
  input.open = false;
  if (!aligning_) return actions;
  if (!after_tasks_finish_) {
    const int64_t checkpoint_id = checkpoint_id_;
    finish(actions);
    abort(checkpoint_id, "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM", actions);
    return actions;
  }
  input.has_barrier = true;
  triggerIfComplete(actions);
  return actions;
}

Actions BarrierAligner::onAbortNotification(int64_t checkpoint_id) {
  Actions actions;
  if (aligning_ && checkpoint_id == checkpoint_id_) finish(actions);
  if (!aligning_ && checkpoint_id > checkpoint_id_) checkpoint_id_ = checkpoint_id;
  return actions;
}

void BarrierAligner::begin(int64_t checkpoint_id) {
  checkpoint_id_ = checkpoint_id;
  aligning_ = true;
  for (Channel& input : channels_) input.has_barrier = !input.open;
}

void BarrierAligner::finish(Actions& actions) {
  aligning_ = false;
  for (size_t i = 0; i < channels_.size(); ++i) {
    if (!channels_[i].blocked) continue;
    channels_[i].blocked = false;
    actions.push_back({.kind = Kind::kResume, .channel = static_cast<int>(i)});
  }
}

void BarrierAligner::triggerIfComplete(Actions& actions) {
  for (const Channel& input : channels_) {
    if (!input.has_barrier) return;
  }
  actions.push_back({.kind = Kind::kTrigger, .checkpoint_id = checkpoint_id_});
  finish(actions);
}

BarrierAligner::Channel& BarrierAligner::channelAt(int index) {
  WIESEL_CHECK(index >= 0 && index < static_cast<int>(channels_.size())) << "channel " << index;
  return channels_[index];
}

}  // namespace wiesel::checkpoint
