#include "runtime/input/checkpointed_input_gate.h"

#include <string>
#include <utility>

namespace wiesel::runtime {

CheckpointedInputGate::CheckpointedInputGate(std::vector<std::shared_ptr<ChannelQueue>> channels)
    : aligner_(static_cast<int>(channels.size())) {
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
    if (element->kind == StreamElement::Kind::kBarrier) {
      if (element->value > newest_checkpoint_) {
        newest_checkpoint_ = element->value;
        newest_timestamp_ms_ = element->timestamp_ms;
      }
      obey(aligner_.onBarrier(number, element->value), checkpoints);
      return std::nullopt;
    }
    if (element->kind == StreamElement::Kind::kEndOfPartition) {
      channel.ended = true;
      obey(aligner_.onEndOfPartition(number), checkpoints);
    }
    return Event{number, std::move(*element)};
  }
  return std::nullopt;
}

void CheckpointedInputGate::abortCheckpoint(int64_t checkpoint_id, const Checkpoints& checkpoints) {
  obey(aligner_.onAbortNotification(checkpoint_id), checkpoints);
}

void CheckpointedInputGate::obey(const std::vector<checkpoint::AlignmentAction>& actions,
                                 const Checkpoints& checkpoints) {
  using Kind = checkpoint::AlignmentAction::Kind;
  for (const checkpoint::AlignmentAction& action : actions) {
    switch (action.kind) {
      case Kind::kBlock:
        channels_[action.channel].blocked = true;
        break;
      case Kind::kResume:
        channels_[action.channel].blocked = false;
        break;
      case Kind::kTrigger:
        checkpoints.trigger(action.checkpoint_id, newest_timestamp_ms_);
        break;
      case Kind::kAbort:
        checkpoints.abort(action.checkpoint_id, std::string(action.reason));
        break;
    }
  }
}

void CheckpointedInputGate::close() {
  for (Channel& channel : channels_) channel.queue->close();
}

}  // namespace wiesel::runtime
