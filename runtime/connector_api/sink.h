#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wiesel {

class FileSystem;

/// What a sink writer knows of its subtask. Outlives the writer.
struct SinkContext {
  int subtask = 0;
  int parallelism = 1;
  int attempt = 0;
  std::string job_id;
  /// True when an earlier attempt or job saved state of this sink.
  bool is_restored = false;
  FileSystem* files = nullptr;  // Not owned.
  std::string operator_id;      // 32 hex digits: tells apart the sinks of one job.
};

/// Writes one subtask's part of a stream in transactions that end at barriers.
///
/// Threads: the task's.
/// Errors:  exceptions fail the task.
/// Flink:   SinkWriter, CommittingSinkWriter (1.20).
template <class T>
class SinkWriter {
 public:
  virtual ~SinkWriter() = default;
  virtual void write(const T& value, std::optional<int64_t> timestamp_ms) = 0;
  /// Ends what was written since the last call and makes it durable but not yet visible. Returns
  /// what a Committer needs to make it visible; it is kept in the checkpoint.
  virtual std::vector<std::string> prepareCommit() = 0;
  virtual void close() {}
};

/// Makes visible what a writer prepared, once the checkpoint that holds it is complete. Called
/// again after a failure in between, so committing twice must do no harm. Flink: Committer (1.20).
class Committer {
 public:
  virtual ~Committer() = default;
  virtual void commit(const std::string& committable) = 0;
};

/// A place where a stream ends. Immutable and shared. Flink: Sink, SupportsCommitter (1.20).
template <class T>
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<SinkWriter<T>> createWriter(const SinkContext& context) const = 0;
  virtual std::unique_ptr<Committer> createCommitter(const SinkContext& context) const = 0;
};

}  // namespace wiesel
