#pragma once

#include <cstdint>

#include "runtime/functions/rich_function.h"

namespace wiesel {

/// Held while a source function puts out a record and notes how far it is: no checkpoint is taken
/// and the function is told nothing of checkpoints meanwhile. Reentrant. BasicLockable, for
/// std::lock_guard.
/// Flink: SourceFunction.SourceContext.getCheckpointLock() (1.20).
class CheckpointLock {
 public:
  virtual ~CheckpointLock() = default;
  virtual void lock() = 0;
  virtual void unlock() = 0;
};

/// A source written as a loop: run() puts records out until it has no more or cancel() is called.
/// Derive from ParallelSourceFunction for more than one subtask.
///
/// Threads: run() has a thread of its own; everything else, cancel() included, is called from the
///          task's while run() may go on. snapshotState() and notifyCheckpoint...() have the
///          checkpoint lock; cancel() has not, and comes also while run() holds it.
/// Errors:  what run() throws fails the task.
/// Flink:   SourceFunction, RichSourceFunction (1.20); deprecated there in favour of Source.
template <class T>
class SourceFunction : public RichFunction {
 public:
  using Output = T;

  /// Threads: that of run(). Calls block while the job is behind, and throw after the task has been
  ///          cancelled; let the exception pass.
  class SourceContext {
   public:
    virtual ~SourceContext() = default;
    virtual void collect(T value) = 0;
    /// Event time, in milliseconds since the epoch.
    virtual void collectWithTimestamp(T value, int64_t timestamp_ms) = 0;
    virtual void emitWatermark(int64_t watermark_ms) = 0;
    /// Until the next record or watermark nobody waits for this source's watermarks.
    virtual void markAsTemporarilyIdle() = 0;
    virtual CheckpointLock& getCheckpointLock() = 0;
  };

  virtual void run(SourceContext& context) = 0;
  /// Makes run() return soon; not called once it has returned. May be called before run().
  virtual void cancel() = 0;
};

/// A SourceFunction that may run in several subtasks, each with its own part of the data.
/// Flink: ParallelSourceFunction, RichParallelSourceFunction (1.20).
template <class T>
class ParallelSourceFunction : public SourceFunction<T> {};

}  // namespace wiesel
