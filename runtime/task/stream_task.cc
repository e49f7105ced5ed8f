#include "runtime/task/stream_task.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "runtime/graph/failure_text.h"
#include "runtime/operators/operator_failure.h"
#include "runtime/task/task_restore.h"

namespace wiesel::runtime {
namespace {

constexpr int64_t kLastWatermark = std::numeric_limits<int64_t>::max();
constexpr StepResult kMore{StepResult::Kind::kMore, std::nullopt};
constexpr StepResult kDone{StepResult::Kind::kDone, std::nullopt};

}  // namespace

StreamTask::StreamTask(TaskSpec spec, const TaskEnvironment& environment, TaskListener& listener)
    : spec_(std::move(spec)),
      environment_(environment),
      listener_(listener),
      timers_(*environment.clock),
      checkpointer_(spec_.ref, environment, listener) {}

StreamTask::~StreamTask() = default;

void StreamTask::setWakeup(std::function<void()> wakeup) { wakeup_ = std::move(wakeup); }

void StreamTask::post(Mailbox::Mail mail) {
  mailbox_.post(std::move(mail));
  wakeup_();
}

void StreamTask::cancel() {
  cancelled_.store(true, std::memory_order_release);
  wakeup_();
}

void StreamTask::fail(proto::Failure failure) {
  post([this, failure = std::move(failure)] { outside_failure_ = failure; });
}

void StreamTask::triggerCheckpoint(int64_t checkpoint_id, int64_t timestamp_ms) {
  post([this, checkpoint_id, timestamp_ms] {
    waiting_triggers_.emplace_back(checkpoint_id, timestamp_ms);
  });
}

void StreamTask::notifyCheckpoint(int64_t checkpoint_id, bool completed) {
  post([this, checkpoint_id, completed] {
    if (!chain_ || spec_.finished_on_restore) return;  // No operator is open.
    if (completed) return onCheckpointCompleted(checkpoint_id);
    std::erase_if(waiting_triggers_,
                  [checkpoint_id](const auto& trigger) { return trigger.first == checkpoint_id; });
    if (waiting_triggers_.empty() && chain_->source() != nullptr) chain_->source()->endCheckpoint();
    if (gate_) gate_->abortCheckpoint(checkpoint_id, gateCallbacks());
    chain_->notifyCheckpointAborted(checkpoint_id);
  });
}

StepResult StreamTask::step() {
  if (phase_ == Phase::kDone) return kDone;
  try {
    return stepGuarded();
  } catch (...) {
    const proto::Failure failure = failureOf(std::current_exception());
    return endAs(proto::FAILED, &failure);
  }
}

StepResult StreamTask::stepGuarded() {
  if (cancelled_.load(std::memory_order_acquire)) return endAs(proto::CANCELED, nullptr);
  if (mailbox_.hasMail()) runMails();
  if (outside_failure_) return endAs(proto::FAILED, &*outside_failure_);
  switch (phase_) {
    case Phase::kCreated:
      start();
      return kMore;
    case Phase::kRunning:
    case Phase::kEnding:
    case Phase::kWaiting:
      return tellOfLateRecords(runOnce());
    case Phase::kDone:
      break;
  }
  return kDone;
}

void StreamTask::runMails() {
  for (Mailbox::Mail& mail : mailbox_.takeAll()) mail();
}

void StreamTask::start() {
  listener_.taskStateChanged(spec_.ref, proto::INITIALIZING, nullptr);
  chain_.emplace(spec_, environment_, timers_, wakeup_);
  startInput();
  for (const TaskOutput& output : spec_.outputs) {
    for (const auto& channel : output.channels) channel->setProducerWakeup(wakeup_);
  }
  if (spec_.finished_on_restore) return passEndOn();
  if (const absl::Status restored = restoreChain(spec_, environment_, *chain_); !restored.ok()) {
    throw std::runtime_error(std::string(restored.message()));
  }
  chain_->open();
  for (size_t i = 0; i < chain_->size(); ++i) late_records_.watch(chain_->context(i));
  last_flush_ms_ = environment_.clock->monotonicNs() / 1'000'000;
  phase_ = Phase::kRunning;
  listener_.taskStateChanged(spec_.ref, proto::RUNNING, nullptr);
}

void StreamTask::startInput() {
  if (spec_.vertex->is_source) return;
  std::vector<std::shared_ptr<ChannelQueue>> queues;
  std::vector<int> channels_of_input(spec_.vertex->input_count, 0);
  for (const TaskInput& input : spec_.inputs) {
    queues.push_back(input.queue);
    input_of_channel_.push_back(input.input_index);
    place_of_channel_.push_back(channels_of_input[input.input_index]++);
  }
  for (size_t input = 0; input < channels_of_input.size(); ++input) {
    inputs_.emplace_back(chain_->input(static_cast<int>(input)), channels_of_input[input]);
  }
  channel_at_end_.assign(queues.size(), false);
  const CheckpointedInputGate::Settings settings{
      .exactly_once = spec_.plan->graph.checkpointing().exactly_once()};
  gate_.emplace(std::move(queues), settings, *environment_.clock);
  gate_->setWakeup(wakeup_);
}

/// The task had finished before the checkpoint that the job was restored from.
void StreamTask::passEndOn() {
  phase_ = Phase::kRunning;
  listener_.taskStateChanged(spec_.ref, proto::RUNNING, nullptr);
  chain_->broadcast(StreamElement::Kind::kWatermark, kLastWatermark);
  chain_->broadcast(StreamElement::Kind::kEndOfData, 1);
  committed_ = true;
  phase_ = Phase::kWaiting;
}

StepResult StreamTask::runOnce() {
  if (phase_ == Phase::kWaiting && committed_) {
    finish();
    return kDone;
  }
  // Not even a timer may run before there is room; the consumer wakes us.
  if (chain_->outputFull()) return {StepResult::Kind::kIdle, std::nullopt};
  if (chain_->hasPendingWork()) {
    chain_->resume();
    return kMore;
  }
  if (!waiting_triggers_.empty() && !isFinishing() && beginTriggeredCheckpoint()) return kMore;
  if (phase_ == Phase::kEnding && endOperators()) return kMore;
  if (timers_.fireOne()) {
    flushWhenDue();
    return kMore;
  }
  const bool waits_for_end = phase_ == Phase::kWaiting && !gate_;
  if (waits_for_end || phase_ == Phase::kEnding || chain_->isBlocked()) return idle();
  return gate_ ? pollGate() : pollSource();
}

StepResult StreamTask::pollSource() {
  switch (chain_->source()->poll()) {
    case PollResult::kMore:
      flushWhenDue();
      return kMore;
    case PollResult::kNothing:
      return idle();
    case PollResult::kEnd:
      chain_->headOutput()->emitWatermark(kLastWatermark);
      endInput();
      return kMore;
  }
  return kMore;
}

StepResult StreamTask::pollGate() {
  bool progress = false;
  auto event = gate_->poll(gateCallbacks(), &progress);
  if (event) handle(event->channel, std::move(event->element));
  if (!progress) return idle();
  flushWhenDue();
  return kMore;
}

void StreamTask::handle(int channel, StreamElement element) {
  const int input = input_of_channel_[channel];
  switch (element.kind) {
    case StreamElement::Kind::kBatch:
      return chain_->input(input).processBatch(*element.batch);
    case StreamElement::Kind::kWatermark:
      return inputs_[input].processWatermark(place_of_channel_[channel], element.value);
    case StreamElement::Kind::kWatermarkStatus:
      return inputs_[input].processWatermarkStatus(place_of_channel_[channel], element.value != 0);
    case StreamElement::Kind::kEndOfData:
      if (channel_at_end_[channel]) return;
      channel_at_end_[channel] = true;
      if (++channels_at_end_ == channel_at_end_.size()) endInput();
      return;
    case StreamElement::Kind::kEndOfPartition:
    case StreamElement::Kind::kBarrier:
    case StreamElement::Kind::kCancellation:
      return;  // The gate has seen to it.
  }
}

void StreamTask::flushWhenDue() {
  const int64_t timeout_ms = spec_.plan->graph.buffer_timeout_ms();
  if (timeout_ms < 0) return;  // Switched off.
  const int64_t now_ms = environment_.clock->monotonicNs() / 1'000'000;
  if (now_ms - last_flush_ms_ < timeout_ms) return;
  last_flush_ms_ = now_ms;
  chain_->flushWriters();
}

StepResult StreamTask::idle() {
  // Without a timeout even records that nothing follows for a while wait for a full batch.
  if (spec_.plan->graph.buffer_timeout_ms() >= 0) chain_->flushWriters();
  return {StepResult::Kind::kIdle, timers_.untilNextMs()};
}

void StreamTask::endInput() { phase_ = Phase::kEnding; }

/// A checkpoint would find some operators finished and others not.
bool StreamTask::isFinishing() const {
  return phase_ == Phase::kEnding && chain_->hasBegunToFinish();
}

bool StreamTask::endOperators() {
  if (!chain_->finish()) return false;
  chain_->broadcast(StreamElement::Kind::kEndOfData, 1);
  timers_.clear();
  phase_ = Phase::kWaiting;
  if (spec_.plan->graph.checkpointing().interval_ms() == 0) {
    committed_ = true;
    return true;
  }
  listener_.taskReachedEndOfData(spec_.ref);
  return true;
}

void StreamTask::finish() {
  chain_->broadcast(StreamElement::Kind::kEndOfPartition);
  chain_->close();
  tellOfLateRecords(late_records_.takeRest());
  if (gate_) gate_->close();
  phase_ = Phase::kDone;
  listener_.taskStateChanged(spec_.ref, proto::FINISHED, nullptr);
}

CheckpointedInputGate::Checkpoints StreamTask::gateCallbacks() {
  return {
      [this](const CheckpointedInputGate::Trigger& checkpoint) { performCheckpoint(checkpoint); },
      [this](int64_t checkpoint_id, const std::string& reason) {
        abortCheckpoint(checkpoint_id, reason);
      }};
}

/// Returns false when the source has not come to a point at which one can be taken: the triggers
/// wait, and the source goes on.
bool StreamTask::beginTriggeredCheckpoint() {
  SourceOperatorBase* const source = chain_->source();
  if (source != nullptr && !source->beginCheckpoint()) return false;
  const auto [checkpoint_id, timestamp_ms] = waiting_triggers_.front();
  waiting_triggers_.pop_front();
  performCheckpoint(
      {.checkpoint_id = checkpoint_id,
       .timestamp_ms = timestamp_ms,
       .start_delay_ms = std::max<int64_t>(0, environment_.clock->wallMs() - timestamp_ms)});
  if (source != nullptr) source->endCheckpoint();
  return true;
}

void StreamTask::performCheckpoint(const CheckpointedInputGate::Trigger& checkpoint) {
  const int64_t checkpoint_id = checkpoint.checkpoint_id;
  if (checkpoint_id <= last_checkpoint_) return;
  last_checkpoint_ = checkpoint_id;
  const bool at_end = phase_ == Phase::kWaiting;
  if (at_end && first_final_checkpoint_ == 0) first_final_checkpoint_ = checkpoint_id;
  chain_->prepareSnapshotPreBarrier(checkpoint_id);
  chain_->broadcast(StreamElement::Kind::kBarrier, checkpoint_id, checkpoint.timestamp_ms);
  const int64_t started_ns = environment_.clock->monotonicNs();
  std::vector<OperatorSnapshotParts> parts = chain_->snapshot(checkpoint_id);
  SubtaskCheckpointer::Times times;
  times.alignment_ms = checkpoint.alignment_ms;
  times.start_delay_ms = checkpoint.start_delay_ms;
  times.sync_ms = (environment_.clock->monotonicNs() - started_ns) / 1'000'000;
  checkpointer_.begin(checkpoint_id, std::move(parts), at_end, times);
}

void StreamTask::abortCheckpoint(int64_t checkpoint_id, const std::string& reason) {
  chain_->broadcast(StreamElement::Kind::kCancellation, checkpoint_id);
  listener_.declineCheckpoint(spec_.ref, checkpoint_id, reason);
}

void StreamTask::onCheckpointCompleted(int64_t checkpoint_id) {
  chain_->notifyCheckpointComplete(checkpoint_id);
  if (first_final_checkpoint_ != 0 && checkpoint_id >= first_final_checkpoint_) committed_ = true;
}

StepResult StreamTask::endAs(proto::TaskState state, const proto::Failure* failure) {
  closeEverything();
  tellOfLateRecords(late_records_.takeRest());
  phase_ = Phase::kDone;
  listener_.taskStateChanged(spec_.ref, state, failure);
  return kDone;
}

/// After a failure or cancellation; what goes wrong here would only hide the cause.
void StreamTask::closeEverything() {
  try {
    if (chain_) chain_->close();
  } catch (...) {
  }
  for (const TaskInput& input : spec_.inputs) input.queue->close();
}

/// An idle task wakes for what there is to tell.
StepResult StreamTask::tellOfLateRecords(StepResult result) {
  if (!late_records_.hasNews()) return result;
  const int64_t now_ms = environment_.clock->monotonicNs() / 1'000'000;
  tellOfLateRecords(late_records_.takeDue(now_ms));
  if (const std::optional<int64_t> until_ms = late_records_.untilDueMs(now_ms)) {
    result.wake_in_ms = std::min(result.wake_in_ms.value_or(*until_ms), *until_ms);
  }
  return result;
}

void StreamTask::tellOfLateRecords(const std::vector<LateRecords::Notice>& notices) const {
  for (const auto& [context, dropped] : notices) {
    WIESEL_LOG(WARN) << absl::StrFormat(
        "Operator '%s' of job %s has dropped records that came after their windows had fired "
        "(%s=%d, subtask=%d/%d, attempt=%d)",
        context->operator_name, context->job_id, std::string(kNumLateRecordsDropped), dropped,
        context->subtask + 1, context->parallelism, context->attempt);
  }
}

proto::Failure StreamTask::failureOf(std::exception_ptr error) const {
  proto::Failure failure;
  failure.set_subtask(spec_.ref.subtask());
  failure.set_parallelism(spec_.vertex->parallelism);
  failure.set_task_name(spec_.taskName());
  try {
    std::rethrow_exception(error);
  } catch (const OperatorFailure& user) {
    failure.set_message(boundedFailureText(user.what()));
    failure.set_operator_name(user.operatorName());
    failure.set_trace(boundedFailureText(absl::StrFormat("%s: %s", user.type(), user.what())));
    failure.set_user_code(true);
    failure.set_suppress_restarts(user.suppressesRestarts());
  } catch (const std::exception& other) {
    failure.set_message(boundedFailureText(other.what()));
    failure.set_operator_name(spec_.vertex->name);
  } catch (...) {
    failure.set_message("an exception that is no std::exception");
    failure.set_operator_name(spec_.vertex->name);
  }
  return failure;
}

}  // namespace wiesel::runtime
