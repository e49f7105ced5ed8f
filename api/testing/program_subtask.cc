#include "api/testing/program_subtask.h"

#include <map>
#include <utility>

#include "common/check.h"
#include "runtime/input/valved_input.h"
#include "state/key_group.h"

namespace wiesel::testing {

namespace {

/// One of the streams of a union.
class Branch final : public runtime::OperatorInput {
 public:
  /// `valve` is in front of `target`; the branches share it.
  Branch(runtime::OperatorInput& target, std::shared_ptr<runtime::ValvedInput> valve, int number)
      : target_(target), valve_(std::move(valve)), number_(number) {}

  void processBatch(runtime::BatchBase& batch) override { target_.processBatch(batch); }
  void processWatermark(int64_t watermark_ms) override {
    valve_->processWatermark(number_, watermark_ms);
  }
  void processWatermarkStatus(bool idle) override { valve_->processWatermarkStatus(number_, idle); }

 private:
  runtime::OperatorInput& target_;
  const std::shared_ptr<runtime::ValvedInput> valve_;
  const int number_;
};

}  // namespace

ProgramSubtask::ProgramSubtask(const runtime::StreamGraph& program,
                               const std::vector<runtime::OutputBase*>& entries, SubtaskSetup setup)
    : clock_(setup.now_ms), entries_(entries), operators_(program.nodes.size()) {
  for (size_t node = 0; node < operators_.size(); ++node) {
    if (entries_[node] == nullptr) make(program, node, setup);
  }
  for (size_t node = 0; node < operators_.size(); ++node) wire(program, node);
}

ProgramSubtask::~ProgramSubtask() {
  if (!is_open_) return;
  for (Operator& one : operators_) {
    try {
      if (one.op) one.op->close();
    } catch (...) {
      // The test has what it wanted; a failing close() has no one to tell.
    }
  }
}

void ProgramSubtask::make(const runtime::StreamGraph& program, size_t node, SubtaskSetup& setup) {
  const runtime::StreamNode& made_from = program.nodes[node];
  Operator& one = operators_[node];
  one.state = std::make_unique<state::OperatorStateStore>();
  runtime::OperatorContext& context = one.context;
  context.operator_name = made_from.name;
  context.task_name = made_from.name;
  context.subtask = setup.subtask;
  context.parallelism = setup.parallelism;
  context.max_parallelism = setup.max_parallelism;
  context.auto_watermark_interval_ms = setup.auto_watermark_interval_ms;
  context.checkpointing = true;
  context.restored_checkpoint = setup.restored_checkpoint;
  context.processing_time = &clock_;
  context.operator_state = one.state.get();
  context.print_line = [](StandardStream, const std::string&) {};
  context.wake_task = [] {};
  context.keyed_setup.range =
      state::keyGroupRangeFor(setup.subtask, setup.parallelism, setup.max_parallelism);
  context.keyed_setup.max_parallelism = setup.max_parallelism;
  std::vector<state::KeyedRestore> keyed;
  if (setup.restored_checkpoint > 0) {
    context.has_saved_state = setup.has_saved_state[node];
    keyed = std::move(setup.keyed_state[node]);
    for (const auto& restored : setup.operator_state[node]) one.state->addRestored(restored);
  }
  if (made_from.is_keyed && setup.open_byte_store) {
    state::ByteStoreRequest request;
    request.range = context.keyed_setup.range;
    request.max_parallelism = setup.max_parallelism;
    request.restored = std::move(keyed);
    context.keyed_setup.byte_store = setup.open_byte_store(std::move(request));
  } else {
    context.keyed_setup.restored = std::move(keyed);
  }
  one.op = made_from.make_operator();
}

void ProgramSubtask::wire(const runtime::StreamGraph& program, size_t node) {
  std::map<int, std::vector<const runtime::StreamEdge*>> by_input;
  for (const runtime::StreamEdge& edge : program.nodes[node].inputs) {
    by_input[edge.input_index].push_back(&edge);
  }
  for (const auto& [index, edges] : by_input) {
    runtime::OperatorInput& input = operators_[node].op->input(index);
    const auto valve =
        std::make_shared<runtime::ValvedInput>(input, static_cast<int>(edges.size()));
    for (size_t i = 0; i < edges.size(); ++i) {
      runtime::OutputBase& main = output(edges[i]->source_node);
      runtime::OutputBase& from =
          edges[i]->side.empty() ? main : main.addSide(edges[i]->side, edges[i]->make_side());
      if (edges.size() == 1) {
        from.addTarget(input);
        continue;
      }
      from.addTarget(
          *adapters_.emplace_back(std::make_unique<Branch>(input, valve, static_cast<int>(i))));
    }
  }
}

runtime::OutputBase& ProgramSubtask::output(int node) {
  if (entries_[node] != nullptr) return *entries_[node];
  runtime::OutputBase* output = operators_[node].op->output();
  WIESEL_CHECK(output != nullptr) << "a sink puts nothing out";
  return *output;
}

void ProgramSubtask::open() {
  is_open_ = true;
  for (size_t node = operators_.size(); node-- > 0;) {
    Operator& one = operators_[node];
    if (!one.op) continue;
    one.op->setUp(one.context);
    one.op->open();
  }
  for (Operator& one : operators_) {
    if (one.op && one.op->output() != nullptr) one.op->output()->flushRecords();
  }
}

void ProgramSubtask::drain() {
  for (size_t node = operators_.size(); node-- > 0;) {
    Operator& one = operators_[node];
    if (!one.op || !one.op->hasPendingWork()) continue;
    one.op->resume();
    node = operators_.size();  // What it put out may have given work to those behind it.
  }
}

std::vector<OperatorState> ProgramSubtask::snapshot(int64_t checkpoint_id) {
  std::vector<OperatorState> states(operators_.size());
  for (size_t node = 0; node < operators_.size(); ++node) {
    Operator& one = operators_[node];
    if (!one.op) continue;
    one.op->snapshotState(checkpoint_id);
    states[node].operator_state = one.state->snapshot();
    if (state::KeyedStateBackend* keyed = one.op->keyedState()) {
      states[node].has_keyed_state = true;
      states[node].keyed_state = keyed->snapshot(checkpoint_id);
    }
  }
  return states;
}

void ProgramSubtask::notifyCheckpointComplete(int64_t checkpoint_id) {
  for (Operator& one : operators_) {
    if (one.op) one.op->notifyCheckpointComplete(checkpoint_id);
  }
}

void ProgramSubtask::notifyCheckpointAborted(int64_t checkpoint_id) {
  for (Operator& one : operators_) {
    if (one.op) one.op->notifyCheckpointAborted(checkpoint_id);
  }
}

void ProgramSubtask::finish() {
  for (Operator& one : operators_) {
    if (!one.op) continue;
    one.op->finish();
    if (one.op->output() != nullptr) one.op->output()->flushRecords();
  }
}

void ProgramSubtask::close() {
  is_open_ = false;
  for (Operator& one : operators_) {
    if (one.op) one.op->close();
  }
}

}  // namespace wiesel::testing
