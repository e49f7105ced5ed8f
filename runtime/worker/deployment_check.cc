#include "runtime/worker/deployment_check.h"

#include <set>
#include <string>

#include "absl/strings/str_format.h"
#include "common/max_parallelism.h"
#include "common/status_macros.h"

namespace wiesel::runtime {
namespace {

absl::Status wrong(const std::string& what) {
  return absl::InvalidArgumentError("the JobManager sent a wrong deployment: " + what);
}

absl::Status checkInputs(const proto::TaskDeployment& task, const VertexPlan& vertex,
                         const JobPlan& plan) {
  std::set<int> inputs;
  for (const proto::InputChannel& input : task.inputs()) {
    const proto::ChannelId& channel = input.channel();
    const VertexPlan* producer = plan.findVertex(channel.vertex_id());
    if (producer == nullptr || channel.output_index() < 0 ||
        channel.output_index() >= static_cast<int>(producer->outputs.size())) {
      return wrong(absl::StrFormat("an input comes from output %d of vertex '%s'",
                                   channel.output_index(), channel.vertex_id()));
    }
    if (input.input_index() < 0 || input.input_index() >= vertex.input_count) {
      return wrong(absl::StrFormat("input %d of %d", input.input_index(), vertex.input_count));
    }
    inputs.insert(input.input_index());
  }
  if (static_cast<int>(inputs.size()) == vertex.input_count) return absl::OkStatus();
  return wrong(absl::StrFormat("channels for %d of %d inputs", inputs.size(), vertex.input_count));
}

absl::Status checkOutputs(const proto::TaskDeployment& task, const VertexPlan& vertex) {
  const int expected = static_cast<int>(vertex.outputs.size());
  std::set<int> outputs;
  for (const proto::OutputPartition& output : task.outputs()) {
    if (output.output_index() < 0 || output.output_index() >= expected ||
        !outputs.insert(output.output_index()).second) {
      return wrong(absl::StrFormat("output %d of %d", output.output_index(), expected));
    }
    if (output.subpartitions() < 1 || output.subpartitions() > kMaxMaxParallelism) {
      return wrong(absl::StrFormat("%d channels of output %d", output.subpartitions(),
                                   output.output_index()));
    }
  }
  if (static_cast<int>(outputs.size()) == expected) return absl::OkStatus();
  return wrong(absl::StrFormat("%d of %d outputs", outputs.size(), expected));
}

}  // namespace

absl::Status checkDeployment(const proto::TaskDeployment& task, const JobPlan& plan) {
  const VertexPlan* vertex = plan.findVertex(task.vertex_id());
  if (vertex == nullptr) {
    return wrong(absl::StrFormat("the program has no vertex '%s'", task.vertex_id()));
  }
  if (task.subtask() < 0 || task.subtask() >= vertex->parallelism || task.attempt() < 0) {
    return wrong(absl::StrFormat("subtask %d of %d, attempt %d", task.subtask(),
                                 vertex->parallelism, task.attempt()));
  }
  WIESEL_RETURN_IF_ERROR(checkInputs(task, *vertex, plan));
  return checkOutputs(task, *vertex);
}

}  // namespace wiesel::runtime
