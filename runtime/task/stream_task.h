#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/input/checkpointed_input_gate.h"
#include "runtime/input/valved_input.h"
#include "runtime/task/late_records.h"
#include "runtime/task/mailbox.h"
#include "runtime/task/operator_chain.h"
#include "runtime/task/subtask_checkpointer.h"
#include "runtime/task/task_spec.h"
#include "runtime/task/task_timers.h"

namespace wiesel::runtime {

/// What a task says after a step.
struct StepResult {
  enum class Kind : uint8_t {
    kMore,  // Step again at once.
    kIdle,  // Nothing to do until the wakeup is called or wake_in_ms have passed.
    kDone,  // Never step again.
  };
  Kind kind = Kind::kMore;
  std::optional<int64_t> wake_in_ms;
};

/// One attempt of one subtask: a state machine that takes elements from its input, or from its
/// source, and drives them through its chain, one batch a step. It never blocks, except in user
/// functions.
///
/// After the end of its data a task of a job with checkpoints goes on serving barriers until a
/// checkpoint that holds its end is complete: only then everything it put out is committed.
///
/// Threads: step() from one thread at a time; cancel(), fail(), triggerCheckpoint() and
///          notifyCheckpoint() from any.
/// Errors:  none leave step(): a failure ends the task and is told to the listener.
/// Flink:   StreamTask, SourceStreamTask, OneInputStreamTask, MultipleInputStreamTask (1.20).
class StreamTask {
 public:
  /// Borrows `environment` and `listener`.
  StreamTask(TaskSpec spec, const TaskEnvironment& environment, TaskListener& listener);
  ~StreamTask();

  /// `wakeup` must make somebody call step() soon. Set once, before anything else. It is also
  /// called after the task is gone, by whoever held on to it, and the task holds on to it too: it
  /// must not refer to the task, unless weakly.
  void setWakeup(std::function<void()> wakeup);

  StepResult step();

  void cancel();
  void fail(proto::Failure failure);
  void triggerCheckpoint(int64_t checkpoint_id, int64_t timestamp_ms);
  void notifyCheckpoint(int64_t checkpoint_id, bool completed);

  const proto::TaskRef& ref() const { return spec_.ref; }
  /// "map (1/2)".
  std::string name() const { return spec_.taskName(); }

 private:
  enum class Phase : uint8_t {
    kCreated,
    kRunning,
    kEnding,   // All input is in; operators finish.
    kWaiting,  // For the last checkpoint.
    kDone,
  };

  void post(Mailbox::Mail mail);
  StepResult stepGuarded();
  StepResult idle();
  void runMails();

  void start();
  void startInput();
  void passEndOn();
  StepResult runOnce();
  StepResult pollSource();
  StepResult pollGate();
  void handle(int channel, StreamElement element);
  void flushWhenDue();

  void endInput();
  /// Returns false while an operator is not done with its end.
  bool endOperators();
  bool isFinishing() const;
  void finish();

  bool beginTriggeredCheckpoint();
  void performCheckpoint(const CheckpointedInputGate::Trigger& checkpoint);
  void abortCheckpoint(int64_t checkpoint_id, const std::string& reason);
  void onCheckpointCompleted(int64_t checkpoint_id);
  CheckpointedInputGate::Checkpoints gateCallbacks();

  StepResult endAs(proto::TaskState state, const proto::Failure* failure);
  void closeEverything();
  StepResult tellOfLateRecords(StepResult result);
  void tellOfLateRecords(const std::vector<LateRecords::Notice>& notices) const;
  proto::Failure failureOf(std::exception_ptr error) const;

  const TaskSpec spec_;
  const TaskEnvironment& environment_;
  TaskListener& listener_;

  Mailbox mailbox_;
  std::function<void()> wakeup_;
  std::atomic<bool> cancelled_{false};
  std::optional<proto::Failure> outside_failure_;  // Set by a mail.

  TaskTimers timers_;
  std::optional<OperatorChain> chain_;
  std::optional<CheckpointedInputGate> gate_;
  std::vector<int> input_of_channel_;
  std::vector<int> place_of_channel_;  // Its number among the channels of its input.
  std::vector<ValvedInput> inputs_;
  std::vector<bool> channel_at_end_;
  size_t channels_at_end_ = 0;
  SubtaskCheckpointer checkpointer_;
  LateRecords late_records_;

  Phase phase_ = Phase::kCreated;
  int64_t last_flush_ms_ = 0;           // Monotonic.
  int64_t last_checkpoint_ = 0;         // The newest whose snapshot was taken.
  int64_t first_final_checkpoint_ = 0;  // The first taken after the end of data; 0: none yet.
  bool committed_ = false;              // That one, or a later one, is complete.
  std::deque<std::pair<int64_t, int64_t>> waiting_triggers_;  // Checkpoint id, time.
};

}  // namespace wiesel::runtime
