#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runtime/functions/collector.h"
#include "runtime/time/processing_time_service.h"
#include "state/operator_state_store.h"

namespace wiesel {

/// Whether a source comes to an end by itself. Flink: Boundedness (1.20).
enum class Boundedness : uint8_t { BOUNDED, CONTINUOUS_UNBOUNDED };

/// What poll() found. Flink: InputStatus (1.20).
enum class PollResult : uint8_t {
  kMore,     // Poll again at once.
  kNothing,  // Nothing until SourceContext::wake is called or a timer of the context comes.
  kEnd,      // Nothing ever again.
};

/// What a source reader knows of its subtask. Outlives the reader.
struct SourceContext {
  int subtask = 0;
  int parallelism = 1;
  /// True when an earlier attempt or job saved state of this source. `state` holds this subtask's
  /// share, which may be empty; false also for a source that is new in a restored job.
  bool is_restored = false;
  /// Saved with each checkpoint, between two calls of poll().
  state::OperatorStateStore* state = nullptr;
  runtime::ProcessingTimeService* processing_time = nullptr;
  /// Makes the task poll again. Any thread, until close() has returned.
  std::function<void()> wake;
};

/// Where a reader puts its records. Flink: SourceOutput (1.20).
template <class T>
class SourceOutput {
 public:
  virtual ~SourceOutput() = default;
  /// A record without a timestamp.
  virtual void collect(T value) = 0;
  virtual void collectWithTimestamp(T value, int64_t timestamp_ms) = 0;
};

/// The output of a reader, and those of its splits, the parts of the input that it reads side by
/// side, such as files or partitions. Records of a split that has one get a watermark of their own,
/// and the subtask's is the lowest of its splits: a split that lags behind makes no record late.
/// Flink: ReaderOutput (1.20).
template <class T>
class ReaderOutput : public SourceOutput<T> {
 public:
  /// The output of a split, which stays until it is released; the same one when it is there
  /// already.
  virtual SourceOutput<T>& createOutputForSplit(const std::string& split) = 0;
  /// The split has ended or is not this reader's any more: nobody waits for its watermark.
  virtual void releaseOutputForSplit(const std::string& split) = 0;
};

/// Reads one subtask's part of a source.
///
/// Threads: the task's. A reader with threads of its own hands records over inside poll().
/// Errors:  exceptions fail the task. poll() never blocks.
/// Flink:   SourceReader (1.20).
template <class T>
class SourceReader {
 public:
  virtual ~SourceReader() = default;
  virtual void open(SourceContext& context) = 0;
  /// Puts out some records, about one batch at most.
  virtual PollResult poll(ReaderOutput<T>& output) = 0;
  /// True for a reader that puts its records into the outputs of splits, from when it knows which
  /// it has: then its subtask is idle while it has none, from the first poll() on, so that event
  /// time does not wait for it.
  virtual bool readsSplits() const { return false; }
  /// Brings the context's state up to date.
  virtual void snapshotState(int64_t checkpoint_id) = 0;
  virtual void notifyCheckpointComplete(int64_t checkpoint_id) { (void)checkpoint_id; }
  virtual void notifyCheckpointAborted(int64_t checkpoint_id) { (void)checkpoint_id; }
  virtual void close() {}
};

/// A source of records; makes a reader for each subtask and attempt. Immutable and shared.
/// Flink: Source (1.20).
template <class T>
class Source {
 public:
  virtual ~Source() = default;
  virtual Boundedness boundedness() const = 0;
  virtual std::unique_ptr<SourceReader<T>> createReader() const = 0;
};

}  // namespace wiesel
