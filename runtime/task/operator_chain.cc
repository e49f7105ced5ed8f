#include "runtime/task/operator_chain.h"

#include <exception>
#include <utility>

#include "absl/strings/str_format.h"

namespace wiesel::runtime {
namespace {

/// The output of an operator that `edge` begins at.
OutputBase& outputOf(OutputBase& main, const StreamEdge& edge) {
  return edge.side.empty() ? main : main.addSide(edge.side, edge.make_side());
}

/// Who sets the buffer timeout to 0 wants each record to travel as soon as it is there.
size_t batchRecordsOf(const TaskSpec& spec) {
  return spec.plan->graph.buffer_timeout_ms() == 0 ? 1 : kBatchRecords;
}

}  // namespace

std::string TaskSpec::taskName() const {
  return absl::StrFormat("%s (%d/%d)", vertex->name, ref.subtask() + 1, vertex->parallelism);
}

OperatorChain::OperatorChain(const TaskSpec& spec, const TaskEnvironment& environment,
                             ProcessingTimeService& processing_time,
                             std::function<void()> wake_task)
    : files_(environment.files) {
  makeOperators(spec, environment, processing_time, wake_task);
  makeWriters(spec, environment);
  wire(spec);
}

void OperatorChain::makeOperators(const TaskSpec& spec, const TaskEnvironment& environment,
                                  ProcessingTimeService& processing_time,
                                  const std::function<void()>& wake_task) {
  links_.resize(spec.vertex->operators.size());
  for (size_t i = 0; i < links_.size(); ++i) {
    const ChainedOperator& chained = spec.vertex->operators[i];
    const StreamNode& node = spec.plan->program.nodes[chained.node];
    Link& link = links_[i];
    link.state = std::make_unique<state::OperatorStateStore>();
    OperatorContext& context = link.context;
    context.operator_name = node.name;
    context.operator_id = chained.id;
    context.task_name = spec.vertex->name;
    context.job_id = spec.job_id;
    context.job_name = spec.plan->graph.name();
    context.global_job_parameters = spec.plan->global_job_parameters;
    context.subtask = spec.ref.subtask();
    context.parallelism = spec.vertex->parallelism;
    context.max_parallelism = node.max_parallelism;
    context.attempt = spec.ref.attempt();
    context.auto_watermark_interval_ms = spec.plan->graph.auto_watermark_interval_ms();
    context.checkpointing = spec.plan->graph.checkpointing().interval_ms() > 0;
    context.processing_time = &processing_time;
    context.operator_state = link.state.get();
    context.files = environment.files;
    context.print_line = environment.print_line;
    context.keyed_setup.range =
        state::keyGroupRangeFor(context.subtask, context.parallelism, node.max_parallelism);
    context.keyed_setup.max_parallelism = node.max_parallelism;
    context.wake_task = wake_task;
    link.op = node.make_operator();
  }
  if (spec.vertex->is_source) source_ = dynamic_cast<SourceOperatorBase*>(links_.front().op.get());
}

void OperatorChain::makeWriters(const TaskSpec& spec, const TaskEnvironment& environment) {
  for (size_t i = 0; i < spec.outputs.size(); ++i) {
    const OutputPlan& plan = spec.vertex->outputs[i];
    WriterSetup setup;
    setup.partitioning = plan.edge.partitioning;
    setup.channels = spec.outputs[i].channels;
    setup.max_parallelism = plan.consumer_max_parallelism;
    setup.seed = environment.random->next();
    setup.batch_records = batchRecordsOf(spec);
    writers_.push_back(plan.edge.make_writer(std::move(setup)));
  }
}

void OperatorChain::wire(const TaskSpec& spec) {
  for (size_t i = 0; i < links_.size(); ++i) {
    const ChainedOperator& chained = spec.vertex->operators[i];
    OutputBase* output = links_[i].op->output();
    for (const ChainedOperator::Next& next : chained.chained) {
      const StreamNode& node =
          spec.plan->program.nodes[spec.vertex->operators[next.operator_index].node];
      // What is chained has one input edge.
      outputOf(*output, node.inputs.front())
          .addTarget(links_[next.operator_index].op->input(next.input_index));
    }
    for (int index : chained.outputs) {
      outputOf(*output, spec.vertex->outputs[index].edge).addTarget(writers_[index]->asInput());
    }
    if (output != nullptr) output->setBatchRecords(batchRecordsOf(spec));
  }
}

void OperatorChain::open() {
  for (size_t i = links_.size(); i-- > 0;) {
    Link& link = links_[i];
    link.is_set_up = true;
    link.op->setUp(link.context);
    link.op->open();
  }
}

bool OperatorChain::hasPendingWork() const {
  for (const Link& link : links_) {
    if (link.op->hasPendingWork()) return true;
  }
  return false;
}

void OperatorChain::resume() {
  // What is further down goes first: what an operator puts out must find its followers ready.
  for (size_t i = links_.size(); i-- > 0;) {
    if (links_[i].op->hasPendingWork()) return links_[i].op->resume();
  }
}

bool OperatorChain::isBlocked() const {
  for (const Link& link : links_) {
    if (link.op->isBlocked()) return true;
  }
  return false;
}

bool OperatorChain::finish() {
  if (hasBegunToFinish() && links_[finishing_ - 1].op->isBlocked()) return false;
  while (finishing_ < links_.size()) {
    StreamOperator& op = *links_[finishing_++].op;
    op.finish();
    if (op.output() != nullptr) op.output()->flushRecords();
    if (op.isBlocked()) return false;
  }
  return true;
}

void OperatorChain::close() {
  std::exception_ptr first;
  for (Link& link : links_) {
    if (!std::exchange(link.is_set_up, false)) continue;
    try {
      link.op->close();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void OperatorChain::prepareSnapshotPreBarrier(int64_t checkpoint_id) {
  for (Link& link : links_) link.op->prepareSnapshotPreBarrier(checkpoint_id);
}

std::vector<OperatorSnapshotParts> OperatorChain::snapshot(int64_t checkpoint_id) {
  std::vector<OperatorSnapshotParts> parts;
  try {
    for (Link& link : links_) snapshotOperator(link, checkpoint_id, parts.emplace_back());
  } catch (...) {
    // Nobody will upload what the operators before the failing one left on the disk.
    for (const OperatorSnapshotParts& part : parts) {
      const std::string& directory = part.keyed_state.directory;
      if (!directory.empty()) files_->removeAll(directory).IgnoreError();
    }
    throw;
  }
  return parts;
}

void OperatorChain::snapshotOperator(Link& link, int64_t checkpoint_id,
                                     OperatorSnapshotParts& part) {
  link.op->snapshotState(checkpoint_id);
  part.operator_id = link.context.operator_id;
  part.operator_state = link.state->snapshot();
  if (state::KeyedStateBackend* keyed = link.op->keyedState()) {
    part.has_keyed_state = true;
    part.keyed_state = keyed->snapshot(checkpoint_id);
  }
}

void OperatorChain::notifyCheckpointComplete(int64_t checkpoint_id) {
  for (Link& link : links_) link.op->notifyCheckpointComplete(checkpoint_id);
}

void OperatorChain::notifyCheckpointAborted(int64_t checkpoint_id) {
  for (Link& link : links_) link.op->notifyCheckpointAborted(checkpoint_id);
}

void OperatorChain::flushWriters() {
  for (const auto& writer : writers_) writer->flush();
}

void OperatorChain::broadcast(StreamElement::Kind kind, int64_t value, int64_t timestamp_ms) {
  for (const auto& writer : writers_) writer->broadcast(kind, value, timestamp_ms);
}

bool OperatorChain::outputFull() const {
  for (const auto& writer : writers_) {
    if (writer->anyFull()) return true;
  }
  return false;
}

}  // namespace wiesel::runtime
