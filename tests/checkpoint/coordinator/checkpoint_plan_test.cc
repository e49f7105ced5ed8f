#include "checkpoint/coordinator/checkpoint_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checkpoint/sample_job.h"

namespace wiesel::checkpoint {
namespace {

std::string describe(const std::vector<ExecutionRef>& tasks) {
  std::string text;
  for (const ExecutionRef& task : tasks) {
    text += (text.empty() ? "" : " ") + std::to_string(task.vertex.bytes().back()) + "." +
            std::to_string(task.subtask);
  }
  return text;
}

struct Rule {
  std::string name;
  std::vector<ExecutionRef> finished;
  std::string to_trigger;  // "vertex.subtask ..."
  std::string to_wait_for;
};

std::vector<Rule> rules() {
  return {
      {"AllSourcesWhenAllRun", {}, "1.0 1.1", "1.0 1.1 2.0 2.1 3.0 3.1"},
      {"TheOtherSourceWhenOneHasFinished", {task(1, 0)}, "1.1", "1.1 2.0 2.1 3.0 3.1"},
      {"TheSuccessorsWhenAllSourcesHaveFinished",
       {task(1, 0), task(1, 1)},
       "2.0 2.1",
       "2.0 2.1 3.0 3.1"},
      {"APointwiseConsumerWhoseProducerHasFinished",
       {task(1, 0), task(1, 1), task(2, 0)},
       "2.1 3.0",
       "2.1 3.0 3.1"},
      {"NothingWhenAllHaveFinished",
       {task(1, 0), task(1, 1), task(2, 0), task(2, 1), task(3, 0), task(3, 1)},
       "",
       ""},
  };
}

class CheckpointPlanTest : public ::testing::TestWithParam<Rule> {
 protected:
  void runAll() {
    for (uint8_t vertex = 1; vertex <= 3; ++vertex) {
      for (int subtask = 0; subtask < 2; ++subtask) states_.setRunning(task(vertex, subtask));
    }
  }

  const JobTopology topology_ = sampleJob();
  TaskStates states_{topology_};
};

TEST_P(CheckpointPlanTest, TriggersTheFirstThatRun) {
  runAll();
  for (const ExecutionRef& one : GetParam().finished) states_.setFinished(one);
  const auto plan = planCheckpoint(topology_, states_);
  ASSERT_EQ(plan.has_value(), !GetParam().to_wait_for.empty());
  if (!plan) return;
  EXPECT_EQ(describe(plan->to_trigger), GetParam().to_trigger);
  EXPECT_EQ(describe(plan->to_wait_for), GetParam().to_wait_for);
  for (const ExecutionRef& one : GetParam().finished) {
    EXPECT_TRUE(plan->finished[one.vertex.bytes().back() - 1][one.subtask]);
  }
}

INSTANTIATE_TEST_SUITE_P(Flink, CheckpointPlanTest, ::testing::ValuesIn(rules()),
                         [](const auto& info) { return info.param.name; });

TEST_F(CheckpointPlanTest, WaitsUntilEveryTaskHasStarted) {
  runAll();
  states_.reset();
  for (uint8_t vertex = 1; vertex <= 3; ++vertex) states_.setRunning(task(vertex, 0, 1));
  EXPECT_FALSE(planCheckpoint(topology_, states_));
  for (uint8_t vertex = 1; vertex <= 3; ++vertex) states_.setRunning(task(vertex, 1, 1));
  EXPECT_TRUE(planCheckpoint(topology_, states_));
}

TEST_F(CheckpointPlanTest, RefusesReportsOfAnAttemptThatIsOver) {
  runAll();
  states_.reset();
  EXPECT_FALSE(states_.setRunning(task(1, 0, 0)));
  EXPECT_FALSE(states_.setFinished(task(1, 0, 0)));
  EXPECT_TRUE(states_.setRunning(task(1, 0, 1)));
  EXPECT_TRUE(states_.isRunning(task(1, 0, 1)));
  EXPECT_FALSE(states_.isRunning(task(1, 0, 0)));
}

TEST_F(CheckpointPlanTest, RefusesReportsOfStrangers) {
  EXPECT_FALSE(states_.setRunning(task(9, 0)));
  EXPECT_FALSE(states_.setRunning(task(1, 2)));
  EXPECT_FALSE(states_.setRunning(task(1, -1)));
}

TEST_F(CheckpointPlanTest, AllHaveReachedTheEndWhenTheOthersHaveFinished) {
  runAll();
  for (uint8_t vertex = 1; vertex <= 3; ++vertex) states_.setReachedEnd(task(vertex, 0));
  EXPECT_FALSE(states_.allReachedEnd());
  for (uint8_t vertex = 1; vertex <= 3; ++vertex) states_.setFinished(task(vertex, 1));
  EXPECT_TRUE(states_.allReachedEnd());
  for (uint8_t vertex = 1; vertex <= 3; ++vertex) states_.setFinished(task(vertex, 0));
  EXPECT_FALSE(states_.allReachedEnd());
}

struct Pointwise {
  int producers;
  int consumers;
  std::vector<std::pair<int, int>> ranges;
};

class PointwiseProducersTest : public ::testing::TestWithParam<Pointwise> {};

TEST_P(PointwiseProducersTest, AreThoseOfFlink) {
  const Pointwise& rule = GetParam();
  for (int consumer = 0; consumer < rule.consumers; ++consumer) {
    const ProducerRange range = pointwiseProducers(rule.producers, rule.consumers, consumer);
    EXPECT_EQ(std::make_pair(range.first, range.last), rule.ranges[consumer]) << consumer;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Flink, PointwiseProducersTest,
    ::testing::Values(Pointwise{2, 2, {{0, 0}, {1, 1}}}, Pointwise{4, 2, {{0, 1}, {2, 3}}},
                      Pointwise{5, 2, {{0, 1}, {2, 4}}},
                      Pointwise{2, 5, {{0, 0}, {0, 0}, {0, 0}, {1, 1}, {1, 1}}}));

}  // namespace
}  // namespace wiesel::checkpoint
