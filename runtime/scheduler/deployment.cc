#include "runtime/scheduler/deployment.h"

#include "checkpoint/metadata/handle_codec.h"
#include "runtime/graph/edge_channels.h"

namespace wiesel::runtime {
namespace {

const checkpoint::TaskRestore* restoreOf(const checkpoint::JobRestore& restore, SubtaskId id) {
  if (restore.tasks.empty()) return nullptr;
  return &restore.tasks.at(static_cast<size_t>(id.vertex)).at(static_cast<size_t>(id.subtask));
}

void addInput(const ExecutionGraph& graph, SubtaskId id, const ExecutionInput& input,
              const PlacementOf& placement_of, const checkpoint::JobRestore& restore,
              proto::TaskDeployment& task) {
  const ExecutionVertex& producer = graph.vertices()[input.producer];
  const ConsumerChannels channels =
      channelsOfConsumer(input.distribution, producer.parallelism(),
                         graph.vertices()[id.vertex].parallelism(), id.subtask);
  for (int32_t subtask = channels.first_producer; subtask <= channels.last_producer; ++subtask) {
    const SubtaskId source = {input.producer, subtask};
    const Placement& placement = placement_of(source);
    proto::InputChannel& channel = *task.add_inputs();
    channel.set_input_index(input.input_index);
    channel.mutable_channel()->set_vertex_id(producer.info->id());
    channel.mutable_channel()->set_output_index(input.output_index);
    channel.mutable_channel()->set_subtask(subtask);
    channel.mutable_channel()->set_attempt(graph.attempt());
    channel.mutable_channel()->set_subpartition(channels.subpartition);
    channel.set_worker_id(placement.worker_id);
    channel.set_data_address(placement.data_address);
    const checkpoint::TaskRestore* restored = restoreOf(restore, source);
    channel.set_finished(restored != nullptr && restored->finished);
  }
}

void addOutput(const ExecutionGraph& graph, SubtaskId id, const ExecutionOutput& output,
               proto::TaskDeployment& task) {
  const int32_t producers = graph.vertices()[id.vertex].parallelism();
  const int32_t consumers = graph.vertices()[output.consumer].parallelism();
  proto::OutputPartition& partition = *task.add_outputs();
  partition.set_output_index(output.output_index);
  partition.set_subpartitions(
      subpartitionsOfProducer(output.distribution, producers, consumers, id.subtask));
  partition.set_consumer_parallelism(consumers);
}

void addRestore(const checkpoint::TaskRestore& restored, proto::TaskDeployment& task) {
  task.set_finished_on_restore(restored.finished);
  for (const checkpoint::TaskRestore::Operator& one : restored.operators) {
    proto::OperatorRestore& restore = *task.add_restore();
    restore.set_operator_id(one.id.toHex());
    restore.set_subtask_state(checkpoint::encodeSubtaskState(one.state));
  }
}

}  // namespace

proto::TaskDeployment describeTask(const ExecutionGraph& graph, SubtaskId id,
                                   const PlacementOf& placement_of,
                                   const checkpoint::JobRestore& restore) {
  const ExecutionVertex& vertex = graph.vertices()[id.vertex];
  proto::TaskDeployment task;
  task.set_vertex_id(vertex.info->id());
  task.set_subtask(id.subtask);
  task.set_attempt(graph.attempt());
  for (const ExecutionInput& input : vertex.inputs) {
    addInput(graph, id, input, placement_of, restore, task);
  }
  for (const ExecutionOutput& output : vertex.outputs) addOutput(graph, id, output, task);
  if (const checkpoint::TaskRestore* restored = restoreOf(restore, id)) {
    addRestore(*restored, task);
  }
  task.set_restored_checkpoint(restore.checkpoint_id);
  task.set_restore_directory(restore.directory);
  return task;
}

}  // namespace wiesel::runtime
