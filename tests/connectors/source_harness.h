#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/testing/manual_processing_time.h"
#include "runtime/connector_api/source.h"
#include "tests/support/awaited_queue.h"

namespace wiesel::testing {

/// Keeps what a reader puts out.
template <class T>
class CollectedOutput final : public ReaderOutput<T> {
 public:
  void collect(T value) override { values.push_back(std::move(value)); }
  void collectWithTimestamp(T value, int64_t) override { values.push_back(std::move(value)); }
  SourceOutput<T>& createOutputForSplit(const std::string&) override { return *this; }
  void releaseOutputForSplit(const std::string&) override {}

  std::vector<T> values;
};

/// One subtask's reader, with what its task would give it.
template <class T>
class SourceHarness {
 public:
  explicit SourceHarness(const Source<T>& source, int subtask = 0, int parallelism = 1)
      : reader_(source.createReader()) {
    context_.subtask = subtask;
    context_.parallelism = parallelism;
    context_.state = &state_;
    context_.processing_time = &time_;
    context_.wake = [this] { wakes_.push(true); };
  }

  /// What earlier readers saved. Before open().
  void restore(const std::vector<state::OperatorStateSnapshot>& snapshots) {
    context_.is_restored = true;
    for (const auto& snapshot : snapshots) state_.addRestored(snapshot);
  }

  void open() { reader_->open(context_); }
  PollResult poll() { return reader_->poll(output_); }
  void close() { reader_->close(); }

  state::OperatorStateSnapshot snapshot() {
    reader_->snapshotState(1);
    return state_.snapshot();
  }

  /// Polls as a task does, until the end or until `count` values have come. Returns false when the
  /// reader does not call wake() for too long.
  bool pollUntil(size_t count) {
    for (;;) {
      const PollResult result = poll();
      if (result == PollResult::kEnd || output_.values.size() >= count) return true;
      if (result == PollResult::kNothing && !wakes_.pop()) return false;
    }
  }

  bool pollToEnd() { return pollUntil(static_cast<size_t>(-1)); }

  std::vector<T> take() { return std::exchange(output_.values, {}); }
  ManualProcessingTime& time() { return time_; }
  AwaitedQueue<bool>& wakes() { return wakes_; }

 private:
  state::OperatorStateStore state_;
  ManualProcessingTime time_{1'000'000};
  AwaitedQueue<bool> wakes_;
  SourceContext context_;
  CollectedOutput<T> output_;
  std::unique_ptr<SourceReader<T>> reader_;  // The last to be made, the first to go.
};

}  // namespace wiesel::testing
