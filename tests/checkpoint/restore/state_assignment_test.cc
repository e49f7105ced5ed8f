#include "checkpoint/restore/state_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/checkpoint/sample_job.h"
#include "tests/support/status_matchers.h"

namespace wiesel::checkpoint {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::StatusIs;

OperatorSnapshot snapshotOf(uint8_t id, int parallelism, int max_parallelism = 128) {
  OperatorSnapshot snapshot;
  snapshot.id = idOf(id);
  snapshot.parallelism = parallelism;
  snapshot.max_parallelism = max_parallelism;
  return snapshot;
}

/// Heap state over two subtasks of the window (2), as sampleJob() has it.
CheckpointMetadata windowMetadata() {
  CheckpointMetadata metadata;
  metadata.checkpoint_id = 5;
  OperatorSnapshot window = snapshotOf(2, 2);
  window.subtasks[0].keyed_state = heapState(0, 63, "low");
  window.subtasks[1].keyed_state = heapState(64, 127, "high");
  metadata.operators = {snapshotOf(1, 2), window, snapshotOf(3, 2)};
  return metadata;
}

absl::StatusOr<JobRestore> assign(const CheckpointMetadata& metadata, const JobTopology& topology,
                                  bool allow_non_restored_state = false) {
  return assignState(metadata, {{idOf(2), {"uid-window", "window"}}}, topology,
                     allow_non_restored_state);
}

/// "first-last@firstOffset bytes" of each keyed handle that a task gets.
std::string keyedStateOf(const TaskRestore& task) {
  std::string text;
  for (const auto& one : task.operators) {
    for (const auto& handle : one.state.keyed_state) {
      const auto& groups = std::get<state::KeyGroupsHandle>(handle);
      text += (text.empty() ? "" : ", ") + std::to_string(groups.key_groups.start) + "-" +
              std::to_string(groups.key_groups.end) + "@" + std::to_string(groups.offsets.front()) +
              " " + groups.stream.bytes;
      EXPECT_EQ(static_cast<int>(groups.offsets.size()), groups.key_groups.size());
    }
  }
  return text;
}

struct Rescale {
  std::string name;
  int new_parallelism;
  std::vector<std::string> expected;
};

class KeyedStateTest : public ::testing::TestWithParam<Rescale> {};

TEST_P(KeyedStateTest, GoesToTheOwnersOfItsKeyGroups) {
  JobTopology topology = sampleJob();
  topology.vertices[1].parallelism = GetParam().new_parallelism;
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, assign(windowMetadata(), topology));
  EXPECT_EQ(restore.checkpoint_id, 5);
  std::vector<std::string> got;
  for (const TaskRestore& task : restore.tasks[1]) got.push_back(keyedStateOf(task));
  EXPECT_EQ(got, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Flink, KeyedStateTest,
                         ::testing::Values(Rescale{"Same", 2, {"0-63@100 low", "64-127@164 high"}},
                                           Rescale{"Fewer", 1, {"0-63@100 low, 64-127@164 high"}},
                                           Rescale{"More",
                                                   3,
                                                   {"0-42@100 low", "43-63@143 low, 64-85@164 high",
                                                    "86-127@186 high"}}),
                         [](const auto& info) { return info.param.name; });

TEST(StateAssignmentTest, ADatabaseGoesAsAWholeToEverybodyItOverlaps) {
  CheckpointMetadata metadata = windowMetadata();
  state::IncrementalHandle database;
  database.key_groups = {0, 63};
  metadata.operators[1].subtasks[0].keyed_state = database;
  metadata.operators[1].subtasks.erase(1);
  JobTopology topology = sampleJob();
  topology.state_backend = "rocksdb";
  topology.vertices[1].parallelism = 4;
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, assign(metadata, topology));
  for (int subtask = 0; subtask < 4; ++subtask) {
    const auto& operators = restore.tasks[1][subtask].operators;
    ASSERT_EQ(operators.size(), 1) << subtask;
    const std::vector<state::KeyedStateHandle> share(subtask < 2 ? 1 : 0, database);
    EXPECT_EQ(operators[0].state.keyed_state, share) << subtask;
  }
}

TEST(StateAssignmentTest, RefusesTheStateOfAnotherBackend) {
  JobTopology topology = sampleJob();
  topology.state_backend = "rocksdb";
  EXPECT_THAT(
      assign(windowMetadata(), topology),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("operator 'window' (uid 'uid-window')"),
                     HasSubstr("was written with state.backend.type hashmap and the job uses "
                               "rocksdb: run the job with state.backend.type hashmap"))));
  CheckpointMetadata metadata = windowMetadata();
  metadata.operators[1].subtasks[0].keyed_state = state::IncrementalHandle{};
  topology.state_backend = "hashmap";
  EXPECT_THAT(assign(metadata, topology),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("was written with state.backend.type rocksdb and the job uses "
                                 "hashmap: run the job with state.backend.type rocksdb")));
}

TEST(StateAssignmentTest, RefusesCanonicalStateWhateverTheBackend) {
  CheckpointMetadata metadata = windowMetadata();
  for (auto& [index, subtask] : metadata.operators[1].subtasks) {
    std::get<state::KeyGroupsHandle>(*subtask.keyed_state).format =
        state::KeyGroupsHandle::Format::kCanonical;
  }
  JobTopology topology = sampleJob();
  for (const char* backend : {"hashmap", "rocksdb"}) {
    topology.state_backend = backend;
    EXPECT_THAT(
        assign(metadata, topology),
        StatusIs(absl::StatusCode::kUnimplemented,
                 AllOf(HasSubstr("operator 'window' (uid 'uid-window')"),
                       HasSubstr("has keyed state in the canonical form of savepoints in the "
                                 "checkpoint, which this version cannot restore: start from"),
                       HasSubstr("--type native"))));
  }
}

TEST(StateAssignmentTest, RefusesTheStateOfASourceCoordinator) {
  CheckpointMetadata metadata = windowMetadata();
  metadata.operators[0].coordinator_state = inlineStream("splits");
  EXPECT_THAT(assign(metadata, sampleJob()),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("a source coordinator")));
}

TEST(StateAssignmentTest, ASubtaskWithoutAShareLearnsThatItsOperatorHasStateAndANewOneHasNot) {
  CheckpointMetadata metadata = windowMetadata();
  metadata.operators[0].subtasks[0].operator_state = listState("position", {1}, "p");
  JobTopology topology = sampleJob();
  topology.vertices[0].parallelism = 3;
  topology.vertices[2].operators[0].id = idOf(9);
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, assign(metadata, topology));
  for (int subtask = 0; subtask < 3; ++subtask) {
    const auto& operators = restore.tasks[0][subtask].operators;
    ASSERT_EQ(operators.size(), 1) << subtask;
    EXPECT_EQ(operators[0].id, idOf(1));
    EXPECT_EQ(operators[0].state.isEmpty(), subtask > 0);
  }
  EXPECT_TRUE(restore.tasks[2][0].operators.empty());
}

TEST(StateAssignmentTest, OperatorStateIsDealtOut) {
  CheckpointMetadata metadata = windowMetadata();
  metadata.operators[0].subtasks[0].operator_state = listState("position", {1, 2}, "p");
  JobTopology topology = sampleJob();
  topology.vertices[0].parallelism = 1;
  ASSERT_OK_AND_ASSIGN(const JobRestore restore, assign(metadata, topology));
  ASSERT_EQ(restore.tasks[0].size(), 1);
  EXPECT_EQ(restore.tasks[0][0].operators[0].state.operator_state[0],
            listState("position", {1, 2}, "p"));
}

TEST(StateAssignmentTest, RefusesAnotherMaxParallelism) {
  JobTopology topology = sampleJob();
  topology.vertices[1].max_parallelism = 256;
  EXPECT_THAT(assign(windowMetadata(), topology),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("'window' (uid 'uid-window')"), HasSubstr("128"),
                             HasSubstr("256"))));
}

TEST(StateAssignmentTest, RefusesMoreSubtasksThanTheStateAllows) {
  JobTopology topology = sampleJob();
  topology.vertices[1].parallelism = 200;
  topology.vertices[1].max_parallelism = 256;
  EXPECT_THAT(assign(windowMetadata(), topology),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("lower the parallelism to 128 at most")));
}

TEST(StateAssignmentTest, AStatelessOperatorMayChangeItsMaxParallelism) {
  JobTopology topology = sampleJob();
  topology.vertices[0].max_parallelism = 256;
  EXPECT_OK(assign(windowMetadata(), topology));
}

TEST(StateAssignmentTest, RefusesStateThatNobodyTakesUnlessItMay) {
  JobTopology topology = sampleJob();
  topology.vertices.pop_back();
  topology.vertices[1] = vertexOf(7, "other", 2, {{0, false}});
  EXPECT_THAT(assign(windowMetadata(), topology),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("operator 'window' (uid 'uid-window')"),
                             HasSubstr(idOf(2).toHex()), HasSubstr("--allowNonRestoredState"))));
  EXPECT_OK(assign(windowMetadata(), topology, true));
}

TEST(StateAssignmentTest, AnOperatorWithoutStateNeedsNoTaker) {
  JobTopology topology = sampleJob();
  topology.vertices.pop_back();
  EXPECT_OK(assign(windowMetadata(), topology));
}

TEST(StateAssignmentTest, RefusesWhatItCannotRestore) {
  CheckpointMetadata raw = windowMetadata();
  raw.operators[1].subtasks[0].raw_keyed_state = heapState(0, 63, "raw");
  EXPECT_THAT(assign(raw, sampleJob()), StatusIs(absl::StatusCode::kUnimplemented));
  CheckpointMetadata unaligned = windowMetadata();
  unaligned.operators[1].subtasks[0].input_channels.emplace_back();
  EXPECT_THAT(assign(unaligned, sampleJob()), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(StateAssignmentTest, NothingRestoresNothing) {
  const JobRestore restore = JobRestore::nothing(sampleJob());
  EXPECT_EQ(restore.checkpoint_id, 0);
  ASSERT_EQ(restore.tasks.size(), 3);
  for (const auto& tasks : restore.tasks) {
    ASSERT_EQ(tasks.size(), 2);
    EXPECT_TRUE(tasks[0].operators.empty());
    EXPECT_FALSE(tasks[0].finished);
  }
}

/// How much of each vertex of sampleJob() had ended: 'r' running, 'p' the first subtask, 'f' all.
CheckpointMetadata ended(const std::string& vertices) {
  CheckpointMetadata metadata;
  for (size_t i = 0; i < vertices.size(); ++i) {
    OperatorSnapshot snapshot = snapshotOf(static_cast<uint8_t>(i + 1), 2);
    snapshot.fully_finished = vertices[i] == 'f';
    if (vertices[i] == 'p') snapshot.subtasks[0].finished = true;
    metadata.operators.push_back(snapshot);
  }
  return metadata;
}

struct EndedRule {
  std::string vertices;
  std::string finished;  // One digit a subtask; empty: refused.
};

class EndedTasksTest : public ::testing::TestWithParam<EndedRule> {};

TEST_P(EndedTasksTest, AreRestoredAsEnded) {
  const auto restore = assign(ended(GetParam().vertices), sampleJob());
  if (GetParam().finished.empty()) {
    EXPECT_THAT(restore, StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("predecessor")));
    return;
  }
  ASSERT_OK(restore);
  std::string finished;
  for (const auto& tasks : restore->tasks) {
    for (const TaskRestore& task : tasks) finished += task.finished ? '1' : '0';
  }
  EXPECT_EQ(finished, GetParam().finished);
}

INSTANTIATE_TEST_SUITE_P(Flink, EndedTasksTest,
                         ::testing::Values(EndedRule{"rrr", "000000"}, EndedRule{"prr", "100000"},
                                           EndedRule{"frr", "110000"}, EndedRule{"fpr", "111000"},
                                           EndedRule{"fpp", "111010"}, EndedRule{"ffr", "111100"},
                                           EndedRule{"fff", "111111"}, EndedRule{"rfr", ""},
                                           EndedRule{"ppr", ""}, EndedRule{"fpf", ""},
                                           EndedRule{"frp", ""}),
                         [](const auto& info) { return info.param.vertices; });

TEST(EndedTasksTest, AVertexThatWasRescaledCountsOnlyAsAWhole) {
  JobTopology topology = sampleJob();
  topology.vertices[0].parallelism = 3;
  ASSERT_OK_AND_ASSIGN(const JobRestore partly, assign(ended("prr"), topology));
  for (const TaskRestore& task : partly.tasks[0]) EXPECT_FALSE(task.finished);
  ASSERT_OK_AND_ASSIGN(const JobRestore fully, assign(ended("frr"), topology));
  for (const TaskRestore& task : fully.tasks[0]) EXPECT_TRUE(task.finished);
}

TEST(EndedTasksTest, AChainWhoseOperatorsDidNotEndTogetherIsRefused) {
  JobTopology topology = sampleJob();
  topology.vertices[0].operators.push_back({idOf(8), "", "added"});
  EXPECT_THAT(assign(ended("frr"), topology),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("'source'"), HasSubstr("'added'"))));
}

}  // namespace
}  // namespace wiesel::checkpoint
