#include "runtime/graph/execution_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/graph/job_graph_check.h"
#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using ::testing::HasSubstr;
using testing::twoVertexJob;
using wiesel::testing::StatusIs;

class ExecutionGraphTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto graph = ExecutionGraph::build(twoVertexJob(2), 1'000);
    ASSERT_TRUE(graph.ok()) << graph.status();
    graph_ = *std::move(graph);
  }

  void moveAll(ExecutionState state) {
    for (const SubtaskId id : graph_->subtasks()) graph_->transition(id, state, 2'000);
  }

  std::unique_ptr<ExecutionGraph> graph_;
};

TEST_F(ExecutionGraphTest, ListsSubtasksInTopologicalOrderWithFlinksNames) {
  std::vector<std::string> names;
  for (const SubtaskId id : graph_->subtasks()) names.push_back(graph_->taskNameOf(id));
  EXPECT_EQ(names, (std::vector<std::string>{"Source: numbers (1/2)", "Source: numbers (2/2)",
                                             "Sink: out (1/2)", "Sink: out (2/2)"}));
}

TEST_F(ExecutionGraphTest, ConnectsBothEndsOfAnEdge) {
  ASSERT_EQ(graph_->vertices()[1].inputs.size(), 1u);
  EXPECT_EQ(graph_->vertices()[1].inputs[0].producer, 0);
  ASSERT_EQ(graph_->vertices()[0].outputs.size(), 1u);
  EXPECT_EQ(graph_->vertices()[0].outputs[0].consumer, 1);
}

TEST_F(ExecutionGraphTest, RemembersWhenEachStateWasEntered) {
  EXPECT_TRUE(graph_->transition({0, 0}, proto::SCHEDULED, 1'500));
  EXPECT_TRUE(graph_->transition({0, 0}, proto::RUNNING, 1'700));
  const Execution& execution = graph_->execution({0, 0});
  EXPECT_EQ(execution.entered_ms[proto::CREATED], 1'000);
  EXPECT_EQ(execution.entered_ms[proto::SCHEDULED], 1'500);
  EXPECT_EQ(execution.entered_ms[proto::DEPLOYING], 0);
  EXPECT_EQ(execution.entered_ms[proto::RUNNING], 1'700);
}

TEST_F(ExecutionGraphTest, NeverGoesBackNorLeavesATerminalState) {
  EXPECT_TRUE(graph_->transition({0, 0}, proto::RUNNING, 1));
  EXPECT_FALSE(graph_->transition({0, 0}, proto::INITIALIZING, 2));
  EXPECT_TRUE(graph_->transition({0, 0}, proto::CANCELING, 3));
  EXPECT_FALSE(graph_->transition({0, 0}, proto::RUNNING, 4));
  EXPECT_TRUE(graph_->transition({0, 0}, proto::CANCELED, 5));
  EXPECT_FALSE(graph_->transition({0, 0}, proto::FAILED, 6));
}

TEST_F(ExecutionGraphTest, ANewAttemptStartsAfreshAndForgetsTheOldOne) {
  const proto::TaskRef old = graph_->refOf({0, 1});
  graph_->place({0, 1}, "worker", "tm");
  moveAll(proto::CANCELED);
  graph_->beginNextAttempt(3'000);
  EXPECT_EQ(graph_->attempt(), 1);
  EXPECT_EQ(graph_->find(old), std::nullopt);
  EXPECT_EQ(graph_->find(graph_->refOf({0, 1})), (SubtaskId{0, 1}));
  EXPECT_EQ(graph_->execution({0, 1}).state, proto::CREATED);
  EXPECT_EQ(graph_->execution({0, 1}).worker_id, "");
  EXPECT_EQ(graph_->execution({0, 1}).entered_ms[proto::CREATED], 3'000);
}

TEST_F(ExecutionGraphTest, FindsNothingUnderNamesThatDoNotExist) {
  proto::TaskRef ref = graph_->refOf({0, 0});
  ref.set_subtask(2);
  EXPECT_EQ(graph_->find(ref), std::nullopt);
  ref.set_subtask(-1);
  EXPECT_EQ(graph_->find(ref), std::nullopt);
  ref = graph_->refOf({0, 0});
  ref.set_vertex_id("unknown");
  EXPECT_EQ(graph_->find(ref), std::nullopt);
}

struct Aggregate {
  std::vector<ExecutionState> subtasks;
  ExecutionState vertex;
};

TEST(AggregateStateTest, IsTheOneThatFlinkShows) {
  const std::vector<Aggregate> rules = {
      {{proto::CREATED, proto::CREATED}, proto::CREATED},
      {{proto::SCHEDULED, proto::DEPLOYING}, proto::CREATED},
      {{proto::INITIALIZING, proto::RUNNING}, proto::INITIALIZING},
      {{proto::RUNNING, proto::FINISHED}, proto::RUNNING},
      {{proto::FINISHED, proto::SCHEDULED}, proto::RUNNING},
      {{proto::FINISHED, proto::FINISHED}, proto::FINISHED},
      {{proto::CANCELING, proto::FINISHED}, proto::CANCELING},
      {{proto::CANCELED, proto::CANCELING}, proto::CANCELING},
      {{proto::CANCELED, proto::FINISHED}, proto::CANCELED},
      {{proto::FAILED, proto::CANCELING}, proto::FAILED},
  };
  for (const Aggregate& rule : rules) {
    StateCounts counts{};
    for (const ExecutionState state : rule.subtasks) ++counts[state];
    EXPECT_EQ(aggregateState(counts, 2), rule.vertex)
        << nameOf(rule.subtasks[0]) << " and " << nameOf(rule.subtasks[1]);
  }
}

// ---- Graphs that are refused ----

struct BadGraph {
  std::string name;
  std::function<void(proto::JobGraph&)> spoil;
  std::string message;
};

class JobGraphCheckTest : public ::testing::TestWithParam<BadGraph> {};

TEST_P(JobGraphCheckTest, NamesTheOperatorAndTheValue) {
  proto::JobGraph graph = twoVertexJob(2);
  GetParam().spoil(graph);
  EXPECT_THAT(checkJobGraph(graph),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

std::vector<BadGraph> badGraphs() {
  using Graph = proto::JobGraph;
  return {
      {"NoJobId", [](Graph& graph) { graph.clear_job_id(); }, "job id ''"},
      {"UpperCaseJobId", [](Graph& graph) { graph.set_job_id(std::string(32, 'A')); },
       "is not 32 lower-case hex digits"},
      {"NoVertices", [](Graph& graph) { graph.clear_vertices(); }, "it has no operators"},
      {"NoParallelism", [](Graph& graph) { graph.mutable_vertices(0)->set_parallelism(0); },
       "operator 'Source: numbers': parallelism 0 is not within 1 .. 32768"},
      {"HugeParallelism", [](Graph& graph) { graph.mutable_vertices(1)->set_parallelism(100'000); },
       "operator 'Sink: out': parallelism 100000"},
      {"MaxBelowParallelism",
       [](Graph& graph) { graph.mutable_vertices(0)->set_max_parallelism(1); },
       "operator 'Source: numbers': maximum parallelism 1"},
      {"TooManyChannels",
       [](Graph& graph) {
         for (proto::JobVertex& vertex : *graph.mutable_vertices()) {
           vertex.set_parallelism(32'768);
           vertex.set_max_parallelism(32'768);
         }
       },
       "channels"},
      {"VertexTwice",
       [](Graph& graph) {
         *graph.add_vertices() = graph.vertices(0);
         graph.mutable_vertices(2)->mutable_operators(0)->set_id(std::string(32, 'c'));
       },
       "vertex id 0000000000000000000000000000000a appears twice"},
      {"OperatorTwice",
       [](Graph& graph) {
         graph.mutable_vertices(1)->mutable_operators(0)->set_id(
             graph.vertices(0).operators(0).id());
       },
       "appears twice"},
      {"EmptyChain", [](Graph& graph) { graph.mutable_vertices(0)->clear_operators(); },
       "its chain has no operators"},
      {"Cycle",
       [](Graph& graph) {
         graph.mutable_vertices(0)->add_inputs()->set_source_vertex(graph.vertices(1).id());
       },
       "operator 'Source: numbers': its input comes from vertex"},
      {"UnknownDistribution",
       [](Graph& graph) {
         graph.mutable_vertices(1)->mutable_inputs(0)->set_distribution(
             static_cast<proto::Distribution>(7));
       },
       "unknown distribution 7"},
      {"OwnInput",
       [](Graph& graph) {
         graph.mutable_vertices(1)->mutable_inputs(0)->set_source_vertex(graph.vertices(1).id());
       },
       "which is not before it"},
      {"OutputWithTwoConsumers",
       [](Graph& graph) { *graph.mutable_vertices(1)->add_inputs() = graph.vertices(1).inputs(0); },
       "output 0 of operator 'Source: numbers' has two consumers"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, JobGraphCheckTest, ::testing::ValuesIn(badGraphs()),
                         [](const auto& info) { return info.param.name; });

TEST(JobGraphCheckTest, AcceptsAGoodGraph) { EXPECT_OK(checkJobGraph(twoVertexJob(3))); }

}  // namespace
}  // namespace wiesel::runtime
