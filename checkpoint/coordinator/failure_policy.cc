#include "checkpoint/coordinator/failure_policy.h"

#include <array>

#include "common/check.h"

namespace wiesel::checkpoint {
namespace {

struct Row {
  FailureReason reason;
  std::string_view name;
  bool counts;
};

constexpr std::array<Row, 16> kRows = {{
    {FailureReason::kCheckpointExpired, "CHECKPOINT_EXPIRED", true},
    {FailureReason::kCheckpointSubsumed, "CHECKPOINT_SUBSUMED", false},
    {FailureReason::kCheckpointDeclined, "CHECKPOINT_DECLINED", true},
    {FailureReason::kCheckpointDeclinedTaskNotReady, "CHECKPOINT_DECLINED_TASK_NOT_READY", false},
    {FailureReason::kCheckpointDeclinedTaskClosing, "CHECKPOINT_DECLINED_TASK_CLOSING", false},
    {FailureReason::kCheckpointDeclinedTaskNotCheckpointing,
     "CHECKPOINT_DECLINED_TASK_NOT_CHECKPOINTING", false},
    {FailureReason::kCheckpointDeclinedSubsumed, "CHECKPOINT_DECLINED_SUBSUMED", false},
    {FailureReason::kCheckpointDeclinedOnCancellationBarrier,
     "CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER", false},
    {FailureReason::kCheckpointDeclinedInputEndOfStream, "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
     false},
    {FailureReason::kCheckpointAsyncException, "CHECKPOINT_ASYNC_EXCEPTION", true},
    {FailureReason::kCheckpointCoordinatorShutdown, "CHECKPOINT_COORDINATOR_SHUTDOWN", false},
    {FailureReason::kCheckpointCoordinatorSuspend, "CHECKPOINT_COORDINATOR_SUSPEND", false},
    {FailureReason::kTaskFailure, "TASK_FAILURE", false},
    {FailureReason::kIoException, "IO_EXCEPTION", true},
    {FailureReason::kTriggerCheckpointFailure, "TRIGGER_CHECKPOINT_FAILURE", false},
    {FailureReason::kFinalizeCheckpointFailure, "FINALIZE_CHECKPOINT_FAILURE", true},
}};

const Row& rowOf(FailureReason reason) {
  const Row& row = kRows[static_cast<size_t>(reason)];
  WIESEL_CHECK(row.reason == reason);
  return row;
}

}  // namespace

std::string_view failureReasonName(FailureReason reason) { return rowOf(reason).name; }

std::optional<FailureReason> failureReasonFromName(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.reason;
  }
  return std::nullopt;
}

Decline parseDecline(std::string_view text) {
  const size_t colon = text.find(':');
  const std::optional<FailureReason> reason = failureReasonFromName(text.substr(0, colon));
  if (!reason) return {FailureReason::kCheckpointDeclined, std::string(text)};
  std::string_view words = colon == text.npos ? std::string_view() : text.substr(colon + 1);
  while (words.starts_with(' ')) words.remove_prefix(1);
  return {*reason, std::string(words)};
}

FailurePolicy::FailurePolicy(int tolerable_failures) : tolerable_(tolerable_failures) {
  WIESEL_CHECK(tolerable_failures >= 0) << tolerable_failures;
}

bool FailurePolicy::counts(FailureReason reason) { return rowOf(reason).counts; }

bool FailurePolicy::onFailure(int64_t checkpoint_id, FailureReason reason) {
  if (!counts(reason) || checkpoint_id <= last_success_) return false;
  if (consecutive_ > tolerable_) restart();
  if (tolerable_ == kUnlimited || counted_.insert(checkpoint_id).second) ++consecutive_;
  return consecutive_ > tolerable_;
}

void FailurePolicy::onSuccess(int64_t checkpoint_id) {
  if (checkpoint_id <= last_success_) return;
  last_success_ = checkpoint_id;
  restart();
}

void FailurePolicy::restart() {
  consecutive_ = 0;
  counted_.clear();
}

}  // namespace wiesel::checkpoint
