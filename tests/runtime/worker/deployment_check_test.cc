#include "runtime/worker/deployment_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

/// A source with two subtasks, and a map with two.
JobPlan plan() {
  JobPlan plan;
  VertexPlan source;
  source.id = "source";
  source.parallelism = 2;
  source.is_source = true;
  source.outputs.resize(1);
  VertexPlan map;
  map.id = "map";
  map.parallelism = 2;
  map.input_count = 1;
  plan.vertices = {source, map};
  return plan;
}

void addInput(proto::TaskDeployment& task, const std::string& producer, int output_index) {
  proto::InputChannel& input = *task.add_inputs();
  input.mutable_channel()->set_vertex_id(producer);
  input.mutable_channel()->set_output_index(output_index);
}

proto::TaskDeployment sourceTask() {
  proto::TaskDeployment task;
  task.set_vertex_id("source");
  task.add_outputs()->set_subpartitions(2);
  return task;
}

proto::TaskDeployment mapTask() {
  proto::TaskDeployment task;
  task.set_vertex_id("map");
  task.set_subtask(1);
  addInput(task, "source", 0);
  addInput(task, "source", 0);
  return task;
}

TEST(DeploymentCheckTest, TakesTheTasksOfThePlan) {
  EXPECT_OK(checkDeployment(sourceTask(), plan()));
  EXPECT_OK(checkDeployment(mapTask(), plan()));
}

struct Rule {
  std::string name;
  proto::TaskDeployment task;
  std::function<void(proto::TaskDeployment&)> spoil;
  std::string error;
};

class WrongDeploymentTest : public ::testing::TestWithParam<Rule> {};

TEST_P(WrongDeploymentTest, IsRefused) {
  proto::TaskDeployment task = GetParam().task;
  GetParam().spoil(task);
  EXPECT_THAT(checkDeployment(task, plan()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the JobManager sent a wrong deployment: " + GetParam().error)));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, WrongDeploymentTest,
    ::testing::Values(
        Rule{"UnknownVertex", mapTask(), [](auto& task) { task.set_vertex_id("sink"); },
             "the program has no vertex 'sink'"},
        Rule{"SubtaskBeyondTheParallelism", mapTask(), [](auto& task) { task.set_subtask(2); },
             "subtask 2 of 2, attempt 0"},
        Rule{"NegativeSubtask", mapTask(), [](auto& task) { task.set_subtask(-1); },
             "subtask -1 of 2, attempt 0"},
        Rule{"UnknownInput", mapTask(),
             [](auto& task) { task.mutable_inputs(0)->set_input_index(1); }, "input 1 of 1"},
        Rule{"NoInput", mapTask(), [](auto& task) { task.clear_inputs(); },
             "channels for 0 of 1 inputs"},
        Rule{"InputFromNowhere", mapTask(), [](auto& task) { addInput(task, "window", 0); },
             "an input comes from output 0 of vertex 'window'"},
        Rule{"InputFromAnOutputThatIsNot", mapTask(),
             [](auto& task) { addInput(task, "source", 1); },
             "an input comes from output 1 of vertex 'source'"},
        Rule{"UnknownOutput", sourceTask(),
             [](auto& task) { task.mutable_outputs(0)->set_output_index(1); }, "output 1 of 1"},
        Rule{"OutputTwice", sourceTask(),
             [](auto& task) { task.add_outputs()->set_subpartitions(1); }, "output 0 of 1"},
        Rule{"OutputWithoutChannels", sourceTask(),
             [](auto& task) { task.mutable_outputs(0)->set_subpartitions(0); },
             "0 channels of output 0"},
        Rule{"NoOutput", sourceTask(), [](auto& task) { task.clear_outputs(); }, "0 of 1 outputs"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::runtime
