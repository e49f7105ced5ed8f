#include "checkpoint/coordinator/pending_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checkpoint/sample_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using state::DistributionMode;
using ::testing::HasSubstr;
using Ack = PendingCheckpoint::Ack;
using Finished = std::vector<std::vector<bool>>;

class PendingCheckpointTest : public ::testing::Test {
 protected:
  PendingCheckpoint pending(Finished finished = {{false, false}, {false, false}, {false, false}},
                            Finished finished_on_restore = {}) {
    CheckpointPlan plan;
    plan.finished = finished;
    for (uint8_t vertex = 1; vertex <= 3; ++vertex) {
      for (int subtask = 0; subtask < 2; ++subtask) {
        if (!finished[vertex - 1][subtask]) plan.to_wait_for.push_back(task(vertex, subtask));
      }
    }
    return PendingCheckpoint(4, 1000, plan, std::move(finished_on_restore));
  }

  TaskSnapshot snapshot(uint8_t vertex, state::SubtaskState state, bool finished = false) {
    TaskSnapshot result;
    result.operators.push_back({idOf(vertex), std::move(state)});
    result.finished = finished;
    return result;
  }

  void acknowledgeRest(PendingCheckpoint& checkpoint) {
    for (const ExecutionRef& one : checkpoint.plan().to_wait_for) {
      checkpoint.acknowledge(one, TaskSnapshot{});
    }
  }

  const JobTopology topology_ = sampleJob();
};

TEST_F(PendingCheckpointTest, IsCompleteWhenEveryTaskHasAcknowledgedOnce) {
  PendingCheckpoint checkpoint = pending();
  EXPECT_EQ(checkpoint.acknowledge(task(1, 0), {}), Ack::kAccepted);
  EXPECT_EQ(checkpoint.acknowledge(task(1, 0), {}), Ack::kDuplicate);
  EXPECT_EQ(checkpoint.acknowledge(task(1, 0, 1), {}), Ack::kUnknownTask);
  EXPECT_EQ(checkpoint.acknowledge(task(7, 0), {}), Ack::kUnknownTask);
  EXPECT_FALSE(checkpoint.isFullyAcknowledged());
  EXPECT_FALSE(checkpoint.waitsFor(task(1, 0)));
  EXPECT_TRUE(checkpoint.waitsFor(task(3, 1)));
  acknowledgeRest(checkpoint);
  EXPECT_TRUE(checkpoint.isFullyAcknowledged());
}

TEST_F(PendingCheckpointTest, SaysWhoIsMissing) {
  PendingCheckpoint checkpoint = pending();
  checkpoint.acknowledge(task(1, 0), {});
  EXPECT_EQ(
      checkpoint.describeMissing(topology_),
      "5 of 6 tasks did not acknowledge: 'source' (2/2), 'window' (1/2), 'window' (2/2), ...");
}

TEST_F(PendingCheckpointTest, ListsEveryOperatorWithItsState) {
  PendingCheckpoint checkpoint = pending();
  checkpoint.acknowledge(task(1, 1), snapshot(1, {{listState("position", {9}, "p")}, {}}));
  checkpoint.acknowledge(task(2, 0), snapshot(2, {{}, {heapState(0, 63, "left")}}));
  acknowledgeRest(checkpoint);
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, checkpoint.buildMetadata(topology_));
  EXPECT_EQ(metadata.checkpoint_id, 4);
  ASSERT_EQ(metadata.operators.size(), 3);
  const OperatorSnapshot& source = metadata.operators[0];
  EXPECT_EQ(source.id, idOf(1));
  EXPECT_EQ(source.parallelism, 2);
  EXPECT_EQ(source.max_parallelism, 128);
  ASSERT_EQ(source.subtasks.size(), 1);
  EXPECT_EQ(source.subtasks.at(1).operator_state, listState("position", {9}, "p"));
  const OperatorSnapshot& window = metadata.operators[1];
  ASSERT_EQ(window.subtasks.size(), 1);
  EXPECT_EQ(window.subtasks.at(0).keyed_state, state::KeyedStateHandle(heapState(0, 63, "left")));
  EXPECT_TRUE(metadata.operators[2].subtasks.empty());
}

TEST_F(PendingCheckpointTest, MarksFinishedSubtasksAndWholeOperators) {
  PendingCheckpoint checkpoint = pending({{true, true}, {true, false}, {false, false}});
  checkpoint.acknowledge(task(2, 1), snapshot(2, {{}, {heapState(64, 127, "right")}}));
  acknowledgeRest(checkpoint);
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, checkpoint.buildMetadata(topology_));
  EXPECT_TRUE(metadata.operators[0].fully_finished);
  const OperatorSnapshot& window = metadata.operators[1];
  EXPECT_FALSE(window.fully_finished);
  EXPECT_TRUE(window.subtasks.at(0).finished);
  EXPECT_FALSE(window.subtasks.at(1).finished);
  EXPECT_TRUE(window.subtasks.at(1).keyed_state);
  EXPECT_FALSE(metadata.operators[2].fully_finished);
}

TEST_F(PendingCheckpointTest, RemembersWhoWasRestoredAsFinished) {
  PendingCheckpoint checkpoint = pending({{false, false}, {false, false}, {false, false}},
                                         {{true, true}, {false, false}, {false, false}});
  for (int subtask = 0; subtask < 2; ++subtask) {
    checkpoint.acknowledge(task(1, subtask), snapshot(1, {}, true));
  }
  acknowledgeRest(checkpoint);
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, checkpoint.buildMetadata(topology_));
  EXPECT_TRUE(metadata.operators[0].fully_finished);
}

TEST_F(PendingCheckpointTest, KeepsTheLastStateOfATaskAtItsEnd) {
  PendingCheckpoint checkpoint = pending();
  checkpoint.acknowledge(task(3, 0), snapshot(3, {{listState("pending", {1}, "f")}, {}}, true));
  acknowledgeRest(checkpoint);
  EXPECT_FALSE(checkpoint.isLast());
  ASSERT_OK_AND_ASSIGN(const CheckpointMetadata metadata, checkpoint.buildMetadata(topology_));
  EXPECT_FALSE(metadata.operators[2].subtasks.at(0).finished);
  EXPECT_TRUE(metadata.operators[2].subtasks.at(0).operator_state);
}

TEST_F(PendingCheckpointTest, IsTheLastWhenAllTasksAreAtTheirEnd) {
  PendingCheckpoint checkpoint = pending();
  for (const ExecutionRef& one : checkpoint.plan().to_wait_for) {
    EXPECT_FALSE(checkpoint.isLast());
    checkpoint.acknowledge(one, snapshot(1, {}, true));
  }
  EXPECT_TRUE(checkpoint.isLast());
}

struct UnionRule {
  std::string name;
  bool first_finished_before;
  bool first_at_the_end;
  bool second_at_the_end;
  bool refused;
};

class UnionStateTest : public PendingCheckpointTest,
                       public ::testing::WithParamInterface<UnionRule> {};

TEST_P(UnionStateTest, IsRefusedWhenAPartHasEnded) {
  const UnionRule& rule = GetParam();
  PendingCheckpoint checkpoint =
      pending({{rule.first_finished_before, false}, {false, false}, {false, false}});
  const auto state = [] {
    return state::SubtaskState{{listState("all", {1}, "u", DistributionMode::kUnion)}, {}};
  };
  checkpoint.acknowledge(task(1, 0), snapshot(1, state(), rule.first_at_the_end));
  checkpoint.acknowledge(task(1, 1), snapshot(1, state(), rule.second_at_the_end));
  acknowledgeRest(checkpoint);
  const auto metadata = checkpoint.buildMetadata(topology_);
  EXPECT_EQ(!metadata.ok(), rule.refused);
  if (rule.refused) {
    EXPECT_THAT(metadata, testing::StatusIs(absl::StatusCode::kFailedPrecondition,
                                            HasSubstr("operator 'source'")));
  }
}

INSTANTIATE_TEST_SUITE_P(Flink, UnionStateTest,
                         ::testing::Values(UnionRule{"NobodyEnded", false, false, false, false},
                                           UnionRule{"OneFinishedBefore", true, false, false, true},
                                           UnionRule{"OneIsAtItsEnd", false, true, false, true},
                                           UnionRule{"BothAreAtTheEnd", false, true, true, false}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace wiesel::checkpoint
