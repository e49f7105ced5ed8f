#pragma once

#include <cstdint>
#include <optional>

#include "runtime/functions/runtime_context.h"
#include "state/operator_state_store.h"

namespace wiesel {

/// What a function begins with. Flink: FunctionInitializationContext (1.20).
class FunctionInitializationContext {
 public:
  /// Borrows `context`.
  explicit FunctionInitializationContext(RuntimeContext& context) : context_(context) {}

  /// True when the task goes on from a checkpoint: one that holds state of this function or of
  /// another one in the same task. A function may so be new, and without state, and yet restored.
  /// Flink: StateInitializationContext.isRestored, StateAssignmentOperation (1.20).
  bool isRestored() const { return context_.context_->isRestored(); }
  std::optional<int64_t> getRestoredCheckpointId() const {
    if (!isRestored()) return std::nullopt;
    return context_.context_->restored_checkpoint;
  }

  /// State of the subtask, whatever the keys. The lists may be kept, as ListState<T>.
  state::OperatorStateStore& getOperatorStateStore() { return *context_.context_->operator_state; }

  /// State of each key: getState(), getMapState() and so on. There is no current key yet.
  RuntimeContext& getKeyedStateStore() { return context_; }

 private:
  RuntimeContext& context_;
};

/// Flink: FunctionSnapshotContext (1.20).
class FunctionSnapshotContext {
 public:
  explicit FunctionSnapshotContext(int64_t checkpoint_id) : checkpoint_id_(checkpoint_id) {}
  int64_t getCheckpointId() const { return checkpoint_id_; }

 private:
  int64_t checkpoint_id_;
};

/// A base for functions of any kind that have state of their own, not of keys.
///
/// Order:   initializeState() before open(), after RichFunction::getRuntimeContext() is valid;
///          snapshotState() between two records, with each checkpoint.
/// Threads: the task's own.
/// Errors:  what initializeState() throws fails the task, what snapshotState() throws, too.
/// Flink:   CheckpointedFunction (1.20).
class CheckpointedFunction {
 public:
  virtual ~CheckpointedFunction() = default;
  virtual void initializeState(FunctionInitializationContext& context) = 0;
  /// Puts into the state what is only in members. What the state holds then is saved.
  virtual void snapshotState(FunctionSnapshotContext& context) = 0;
};

/// A base for functions of any kind that want to know what became of a checkpoint. A notification
/// may be missed after a failure; one of a later checkpoint stands for those before it, too.
///
/// Threads: the task's own.
/// Flink:   CheckpointListener (1.20).
class CheckpointListener {
 public:
  virtual ~CheckpointListener() = default;
  virtual void notifyCheckpointComplete(int64_t checkpoint_id) = 0;
  virtual void notifyCheckpointAborted(int64_t checkpoint_id) { (void)checkpoint_id; }
};

}  // namespace wiesel
