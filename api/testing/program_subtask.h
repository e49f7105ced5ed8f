#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/testing/manual_processing_time.h"
#include "runtime/graph/stream_graph.h"
#include "runtime/operators/operator_context.h"
#include "runtime/operators/stream_operator.h"
#include "state/keyed_snapshot.h"
#include "state/operator_state_store.h"

namespace wiesel::testing {

/// The state of one operator of a subtask at a checkpoint.
struct OperatorState {
  bool has_keyed_state = false;
  state::KeyedSnapshot keyed_state;
  state::OperatorStateSnapshot operator_state;

  bool hasState() const { return has_keyed_state || !operator_state.stream.empty(); }
};

/// Where subtasks of a program are and what they begin with.
struct SubtaskSetup {
  int subtask = 0;
  int parallelism = 1;
  int max_parallelism = 128;
  int64_t now_ms = 0;
  int64_t auto_watermark_interval_ms = 200;
  int64_t restored_checkpoint = 0;  // 0: nothing is restored.
  /// By node, as the next; empty when nothing is restored.
  std::vector<bool> has_saved_state;
  std::vector<std::vector<state::KeyedRestore>> keyed_state;
  std::vector<std::vector<state::OperatorStateSnapshot>> operator_state;
  /// Opens the store of a node's keyed state; empty: state is in memory.
  std::function<std::unique_ptr<state::ByteStateStore>(state::ByteStoreRequest)> open_byte_store;
};

/// One subtask of a whole piece of a program, every operator of it wired straight to the next, in
/// the thread of the caller. Inputs are nodes of the program without an operator.
///
/// Order:   targets and sides are added, then open(), then elements.
/// Threads: one.
/// Errors:  exceptions of the operators pass through.
class ProgramSubtask {
 public:
  /// `entries[node]` is the output of an input node, null for others; they outlive the subtask.
  /// Borrows `program`.
  ProgramSubtask(const runtime::StreamGraph& program,
                 const std::vector<runtime::OutputBase*>& entries, SubtaskSetup setup);
  ~ProgramSubtask();  // Closes what was opened.

  /// The output of a node, to listen to.
  runtime::OutputBase& output(int node);

  void open();

  /// Lets operators that stopped half way go on until none is left. After every element.
  void drain();

  ManualProcessingTime& clock() { return clock_; }

  /// Takes a checkpoint; one entry a node.
  std::vector<OperatorState> snapshot(int64_t checkpoint_id);
  void notifyCheckpointComplete(int64_t checkpoint_id);
  void notifyCheckpointAborted(int64_t checkpoint_id);
  void finish();
  /// Closes the operators, which nothing may be given any more.
  void close();
  /// From now on nothing is left to be closed.
  void crash() { is_open_ = false; }

 private:
  struct Operator {
    runtime::OperatorContext context;
    std::unique_ptr<state::OperatorStateStore> state;
    std::unique_ptr<runtime::StreamOperator> op;  // Null for an input.
  };

  void make(const runtime::StreamGraph& program, size_t node, SubtaskSetup& setup);
  void wire(const runtime::StreamGraph& program, size_t node);

  ManualProcessingTime clock_;
  std::vector<runtime::OutputBase*> entries_;  // By node. Not owned.
  std::vector<Operator> operators_;            // By node.
  std::vector<std::unique_ptr<runtime::OperatorInput>> adapters_;
  bool is_open_ = false;
};

}  // namespace wiesel::testing
