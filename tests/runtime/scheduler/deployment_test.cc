#include "runtime/scheduler/deployment.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "checkpoint/metadata/handle_codec.h"
#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using testing::twoVertexJob;

const Placement& placementOf(SubtaskId id) {
  static const std::vector<Placement> kPlacements = {{"worker-0", "tm", "worker-0:1"},
                                                     {"worker-1", "tm", "worker-1:1"}};
  return kPlacements.at(id.subtask);
}

std::string describe(const proto::InputChannel& input) {
  const proto::ChannelId& channel = input.channel();
  return absl::StrFormat("input %d: %s output %d subtask %d attempt %d channel %d on %s at %s%s",
                         input.input_index(), channel.vertex_id().substr(31),
                         channel.output_index(), channel.subtask(), channel.attempt(),
                         channel.subpartition(), input.worker_id(), input.data_address(),
                         input.finished() ? ", finished" : "");
}

std::vector<std::string> inputsOf(const proto::TaskDeployment& task) {
  std::vector<std::string> inputs;
  for (const proto::InputChannel& input : task.inputs()) inputs.push_back(describe(input));
  return inputs;
}

TEST(DeploymentTest, AConsumerLearnsWhereEachOfItsChannelsIs) {
  ASSERT_OK_AND_ASSIGN(const auto graph, ExecutionGraph::build(twoVertexJob(2), 0));
  const proto::TaskDeployment task = describeTask(*graph, {1, 1}, placementOf, {});
  EXPECT_EQ(inputsOf(task),
            (std::vector<std::string>{
                "input 0: a output 0 subtask 0 attempt 0 channel 1 on worker-0 at worker-0:1",
                "input 0: a output 0 subtask 1 attempt 0 channel 1 on worker-1 at worker-1:1"}));
  EXPECT_EQ(task.outputs_size(), 0);
}

TEST(DeploymentTest, AProducerLearnsHowManyChannelsItsOutputHas) {
  proto::JobGraph job = twoVertexJob(2);
  job.mutable_vertices(1)->set_parallelism(5);
  job.mutable_vertices(1)->mutable_inputs(0)->set_distribution(proto::POINTWISE);
  ASSERT_OK_AND_ASSIGN(const auto graph, ExecutionGraph::build(job, 0));
  const proto::TaskDeployment second = describeTask(*graph, {0, 1}, placementOf, {});
  ASSERT_EQ(second.outputs_size(), 1);
  EXPECT_EQ(second.outputs(0).subpartitions(), 2);
  EXPECT_EQ(second.outputs(0).consumer_parallelism(), 5);
  EXPECT_EQ(describeTask(*graph, {0, 0}, placementOf, {}).outputs(0).subpartitions(), 3);
  const proto::TaskDeployment consumer = describeTask(*graph, {1, 3}, placementOf, {});
  EXPECT_EQ(inputsOf(consumer),
            (std::vector<std::string>{
                "input 0: a output 0 subtask 1 attempt 0 channel 1 on worker-1 at worker-1:1"}));
}

TEST(DeploymentTest, ATaskGetsItsStateAndLearnsWhichProducersHadFinished) {
  ASSERT_OK_AND_ASSIGN(const auto graph, ExecutionGraph::build(twoVertexJob(2), 0));
  state::SubtaskState state;
  state.operator_state.push_back({{{"offsets", state::DistributionMode::kSplit, {0}}}, {}});
  checkpoint::JobRestore restore;
  restore.checkpoint_id = 7;
  restore.directory = "/checkpoints/job/chk-7";
  restore.tasks.resize(2, std::vector<checkpoint::TaskRestore>(2));
  restore.tasks[0][1].finished = true;
  restore.tasks[1][0].operators.push_back(
      {*Id128::fromHex(graph->jobGraph().vertices(1).operators(0).id()), state});

  const proto::TaskDeployment consumer = describeTask(*graph, {1, 0}, placementOf, restore);
  EXPECT_EQ(consumer.restored_checkpoint(), 7);
  EXPECT_EQ(consumer.restore_directory(), "/checkpoints/job/chk-7");
  EXPECT_FALSE(consumer.inputs(0).finished());
  EXPECT_TRUE(consumer.inputs(1).finished());
  EXPECT_FALSE(consumer.finished_on_restore());
  ASSERT_EQ(consumer.restore_size(), 1);
  EXPECT_EQ(consumer.restore(0).operator_id(), "0000000000000000000000000000000b");
  ASSERT_OK_AND_ASSIGN(const state::SubtaskState decoded,
                       checkpoint::decodeSubtaskState(consumer.restore(0).subtask_state()));
  EXPECT_EQ(decoded, state);
  EXPECT_TRUE(describeTask(*graph, {0, 1}, placementOf, restore).finished_on_restore());
}

}  // namespace
}  // namespace wiesel::runtime
