#pragma once

#include <cstdint>
#include <functional>
#include <memory>

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

/// Where a reader puts its records.
template <class T>
class SourceOutput {
 public:
  virtual ~SourceOutput() = default;
  /// A record without a timestamp.
  virtual void collect(T value) = 0;
  virtual void collectWithTimestamp(T value, int64_t timestamp_ms) = 0;
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
  virtual PollResult poll(SourceOutput<T>& output) = 0;
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
