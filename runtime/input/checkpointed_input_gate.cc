#include "runtime/input/checkpointed_input_gate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "checkpoint/alignment/barrier_aligner.h"
#include "checkpoint/alignment/barrier_tracker.h"

namespace wiesel::runtime {
namespace {

std::unique_ptr<checkpoint::BarrierHandler> makeHandler(
    size_t num_channels, const CheckpointedInputGate::Settings& settings) {
  const int channels = static_cast<int>(num_channels);
  if (settings.exactly_once) {
    return std::make_unique<checkpoint::BarrierAligner>(channels, settings.after_tasks_finish);
  }
  return std::make_unique<checkpoint::BarrierTracker>(channels, settings.after_tasks_finish);
}

}  // namespace

CheckpointedInputGate::CheckpointedInputGate(std::vector<std::shared_ptr<ChannelQueue>> channels,
                                             const Settings& settings, const Clock& clock)
    : clock_(clock), handler_(makeHandler(channels.size(), settings)) {
  for (auto& queue : channels) channels_.push_back({std::move(queue), false, false});
}

void CheckpointedInputGate::setWakeup(const std::function<void()>& wakeup) {
  for (Channel& channel : channels_) channel.queue->setConsumerWakeup(wakeup);
}

std::optional<CheckpointedInputGate::Event> CheckpointedInputGate::poll(
    const Checkpoints& checkpoints, bool* progress) {
  *progress = false;
  for (size_t tried = 0; tried < channels_.size(); ++tried) {
    const size_t index = next_;
    next_ = next_ + 1 == channels_.size() ? 0 : next_ + 1;
    Channel& channel = channels_[index];
    if (channel.blocked || channel.ended) continue;
    std::optional<StreamElement> element = channel.queue->pop();
    if (!element) continue;
    *progress = true;
    const int number = static_cast<int>(index);
    if (actOn(number, *element, checkpoints)) return std::nullopt;
    return Event{number, std::move(*element)};
  }
  return std::nullopt;
}

bool CheckpointedInputGate::actOn(int channel, const StreamElement& element,
                                  const Checkpoints& checkpoints) {
  switch (element.kind) {
    case StreamElement::Kind::kBarrier:
      noteArrival(element);
      obey(handler_->onBarrier(channel, element.value), checkpoints);
      return true;
    case StreamElement::Kind::kCancellation:
      obey(handler_->onCancellation(channel, element.value), checkpoints);
      return true;
    case StreamElement::Kind::kEndOfPartition:
      channels_[static_cast<size_t>(channel)].ended = true;
      obey(handler_->onEndOfPartition(channel), checkpoints);
      return false;
    default:
      return false;
  }
}

void CheckpointedInputGate::noteArrival(const StreamElement& barrier) {
  const int64_t delay_ms = std::max<int64_t>(0, clock_.wallMs() - barrier.timestamp_ms);
  arrivals_.try_emplace(barrier.value,
                        Arrival{barrier.timestamp_ms, delay_ms, clock_.monotonicNs()});
  // One more than can be under way: the barrier may be of none of them.
  if (arrivals_.size() > checkpoint::BarrierTracker::kMaxTracked + 1) {
    arrivals_.erase(arrivals_.begin());
  }
}

CheckpointedInputGate::Trigger CheckpointedInputGate::triggerOf(int64_t checkpoint_id) {
  const Arrival arrival = arrivals_[checkpoint_id];
  // What is older cannot be triggered any more.
  arrivals_.erase(arrivals_.begin(), arrivals_.upper_bound(checkpoint_id));
  return {checkpoint_id, arrival.timestamp_ms, arrival.start_delay_ms,
          (clock_.monotonicNs() - arrival.came_ns) / 1'000'000};
}

void CheckpointedInputGate::abortCheckpoint(int64_t checkpoint_id, const Checkpoints& checkpoints) {
  arrivals_.erase(checkpoint_id);
  obey(handler_->onAbortNotification(checkpoint_id), checkpoints);
}

void CheckpointedInputGate::obey(const checkpoint::AlignmentActions& actions,
                                 const Checkpoints& checkpoints) {
  using Kind = checkpoint::AlignmentAction::Kind;
  for (const checkpoint::AlignmentAction& action : actions) {
    switch (action.kind) {
      case Kind::kBlock:
        channels_[static_cast<size_t>(action.channel)].blocked = true;
        break;
      case Kind::kResume:
        channels_[static_cast<size_t>(action.channel)].blocked = false;
        break;
      case Kind::kTrigger:
        checkpoints.trigger(triggerOf(action.checkpoint_id));
        break;
      case Kind::kAbort:
        arrivals_.erase(action.checkpoint_id);
        checkpoints.abort(action.checkpoint_id, std::string(action.reason));
        break;
    }
  }
}

void CheckpointedInputGate::close() {
  for (Channel& channel : channels_) channel.queue->close();
}

}  // namespace wiesel::runtime
