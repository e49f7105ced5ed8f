#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/operators/source_operator.h"
#include "runtime/operators/stream_operator.h"
#include "runtime/partition/record_writer.h"
#include "runtime/task/task_spec.h"
#include "runtime/time/processing_time_service.h"
#include "state/operator_state_store.h"

namespace wiesel::runtime {

/// The state of one operator at a barrier, before it is uploaded.
struct OperatorSnapshotParts {
  std::string operator_id;
  state::OperatorStateSnapshot operator_state;
  bool has_keyed_state = false;
  state::KeyedSnapshot keyed_state;
};

/// The operators of one task, wired to each other and to the writers of its outgoing edges.
///
/// Threads: the task thread only.
/// Errors:  exceptions of the operators pass through.
/// Flink:   OperatorChain, RegularOperatorChain (1.20).
class OperatorChain {
 public:
  /// Makes the operators and writers. `contexts[i]` belongs to operator i and gets its state store.
  OperatorChain(const TaskSpec& spec, const TaskEnvironment& environment,
                ProcessingTimeService& processing_time, std::function<void()> wake_task);

  /// The state that operator `index` begins with; to be filled before open().
  state::OperatorStateStore& operatorState(size_t index) { return *links_[index].state; }
  OperatorContext& context(size_t index) { return links_[index].context; }
  const OperatorContext& context(size_t index) const { return links_[index].context; }
  size_t size() const { return links_.size(); }

  /// setUp() and open() of every operator, the last one first.
  void open();

  OperatorInput& input(int index) { return head().input(index); }
  /// Null unless the task reads a source.
  SourceOperatorBase* source() const { return source_; }
  OutputBase* headOutput() { return head().output(); }

  /// An operator stopped half way: resume() before anything else.
  bool hasPendingWork() const;
  void resume();

  /// Some operator wants no more input for now.
  bool isBlocked() const;

  /// All input has ended: each operator finishes what it holds, the head first. Returns false when
  /// one of them is not done with that: call it again.
  bool finish();
  /// True from the first finish() on.
  bool hasBegunToFinish() const { return finishing_ > 0; }
  /// Closes every operator that was set up, whatever some of them throw; the first exception
  /// follows.
  void close();

  /// Before the barrier of a checkpoint is sent, and snapshot() after it.
  void prepareSnapshotPreBarrier(int64_t checkpoint_id);
  std::vector<OperatorSnapshotParts> snapshot(int64_t checkpoint_id);
  void notifyCheckpointComplete(int64_t checkpoint_id);
  void notifyCheckpointAborted(int64_t checkpoint_id);

  /// Sends the records that wait in writers for a full batch.
  void flushWriters();
  /// Sends a control element over every outgoing edge.
  void broadcast(StreamElement::Kind kind, int64_t value = 0, int64_t timestamp_ms = 0);
  /// True when some consumer is behind: begin no new work.
  bool outputFull() const;

 private:
  struct Link {
    OperatorContext context;
    std::unique_ptr<state::OperatorStateStore> state;
    std::unique_ptr<StreamOperator> op;
    bool is_set_up = false;
  };

  StreamOperator& head() { return *links_.front().op; }
  void makeOperators(const TaskSpec& spec, const TaskEnvironment& environment,
                     ProcessingTimeService& processing_time,
                     const std::function<void()>& wake_task);
  void makeWriters(const TaskSpec& spec, const TaskEnvironment& environment);
  void wire(const TaskSpec& spec);
  static void snapshotOperator(Link& link, int64_t checkpoint_id, OperatorSnapshotParts& part);

  FileSystem* const files_;  // Not owned.
  std::vector<Link> links_;  // The head first.
  std::vector<std::unique_ptr<RecordWriter>> writers_;
  SourceOperatorBase* source_ = nullptr;  // The head, when it is one.
  size_t finishing_ = 0;                  // How many operators were told to finish.
};

}  // namespace wiesel::runtime
