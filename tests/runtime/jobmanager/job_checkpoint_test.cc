#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/runtime/jobmanager/fake_cluster.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime::testing {
namespace {

using ::testing::HasSubstr;
using wiesel::testing::StatusIs;

const std::string kJob = twoVertexJob(1).job_id();
const std::string kDirectory = "/checkpoints/" + kJob;

class JobCheckpointTest : public ::testing::Test {
 protected:
  void start(const proto::JobGraph& graph) {
    cluster_.script.run_ms = -1;
    cluster_.addTaskManager("tm-1", 2);
    ASSERT_OK(cluster_.submit(graph));
    ASSERT_TRUE(cluster_.runUntilTasks(graph.job_id(), proto::RUNNING));
  }
  proto::JobGraph graph(const std::string& retention) const {
    return withFixedDelay(withCheckpoints(twoVertexJob(2), 100, retention), 100, 0);
  }
  bool runUntilCompleted(int64_t checkpoints) {
    return cluster_.runUntil(
        [&] { return cluster_.view(kJob).checkpoints.completed >= checkpoints; });
  }
  bool isCompleteOnDisk(const std::string& name) const {
    return cluster_.files.exists(kDirectory + "/" + name + "/_metadata");
  }
  std::vector<std::string> retained() const {
    auto names = cluster_.files.list(kDirectory);
    if (!names.ok()) return {names.status().ToString()};
    std::erase_if(*names, [](const std::string& name) { return name.rfind("chk-", 0) != 0; });
    return *names;
  }

  FakeCluster cluster_;
};

TEST_F(JobCheckpointTest, SourcesAreTriggeredAndAllTasksToldOfTheEnd) {
  start(graph("RETAIN_ON_CANCELLATION"));
  ASSERT_TRUE(runUntilCompleted(1));
  EXPECT_EQ(cluster_.triggered, std::vector<int64_t>{1});
  ASSERT_TRUE(cluster_.runUntil([&] { return !cluster_.notifications.empty(); }));
  EXPECT_TRUE(cluster_.notifications[0].completed());
  EXPECT_EQ(cluster_.notifications[0].checkpoint_id(), 1);
  EXPECT_EQ(cluster_.notifications[0].tasks_size(), 4);
  EXPECT_TRUE(isCompleteOnDisk("chk-1"));
  EXPECT_THAT(cluster_.view(kJob).latest_checkpoint_path, HasSubstr(kDirectory + "/chk-1"));
}

TEST_F(JobCheckpointTest, WorkersLearnWhereCheckpointsGo) {
  start(graph("RETAIN_ON_CANCELLATION"));
  EXPECT_TRUE(cluster_.files.isDirectory(kDirectory + "/shared"));
}

TEST_F(JobCheckpointTest, ARestartBeginsFromTheNewestCheckpoint) {
  start(graph("RETAIN_ON_CANCELLATION"));
  ASSERT_TRUE(runUntilCompleted(2));
  cluster_.crash(*cluster_.workerOn("tm-1"), "killed");
  ASSERT_TRUE(cluster_.runUntil([&] { return cluster_.deploymentsOf(1).size() == 4; }));
  EXPECT_EQ(cluster_.deploymentsOf(0).front().second.restored_checkpoint(), 0);
  EXPECT_EQ(cluster_.deploymentsOf(1).front().second.restored_checkpoint(), 2);
  EXPECT_EQ(cluster_.deploymentsOf(1).front().second.restore_directory(), kDirectory + "/chk-2");
}

TEST_F(JobCheckpointTest, FinishedJobsLeaveNoCheckpoint) {
  cluster_.script.run_ms = 250;
  cluster_.addTaskManager("tm-1", 2);
  ASSERT_OK(cluster_.submit(graph("RETAIN_ON_CANCELLATION")));
  ASSERT_TRUE(runUntilCompleted(1));
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFinished));
  EXPECT_EQ(retained(), std::vector<std::string>{}) << "gone before the job is called FINISHED";
}

TEST_F(JobCheckpointTest, CancelledJobsKeepTheNewestWhenTheySaySo) {
  start(graph("RETAIN_ON_CANCELLATION"));
  ASSERT_TRUE(runUntilCompleted(3));
  ASSERT_OK(cluster_.dispatcher().cancel(kJob));
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kCanceled));
  EXPECT_EQ(retained(), std::vector<std::string>{"chk-3"});
}

TEST_F(JobCheckpointTest, CancelledJobsKeepNothingWhenTheySaySo) {
  start(graph("DELETE_ON_CANCELLATION"));
  ASSERT_TRUE(runUntilCompleted(1));
  ASSERT_OK(cluster_.dispatcher().cancel(kJob));
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kCanceled));
  EXPECT_EQ(retained(), std::vector<std::string>{});
}

TEST_F(JobCheckpointTest, FailedJobsKeepTheNewest) {
  proto::JobGraph failing = graph("DELETE_ON_CANCELLATION");
  failing.mutable_restart()->set_type("none");
  start(failing);
  ASSERT_TRUE(runUntilCompleted(1));
  cluster_.crash(*cluster_.workerOn("tm-1"), "killed");
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  EXPECT_EQ(retained(), std::vector<std::string>{"chk-1"});
}

TEST_F(JobCheckpointTest, AnotherJobGoesOnFromARetainedCheckpoint) {
  start(graph("RETAIN_ON_CANCELLATION"));
  ASSERT_TRUE(runUntilCompleted(3));
  ASSERT_OK(cluster_.dispatcher().cancel(kJob));
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kCanceled));

  proto::JobGraph next = withCheckpoints(twoVertexJob(1, 2), 100, "RETAIN_ON_CANCELLATION");
  next.set_restore_path("file://" + kDirectory + "/chk-3");
  cluster_.deployments.clear();
  cluster_.triggered.clear();
  ASSERT_OK(cluster_.submit(next));
  ASSERT_TRUE(cluster_.runUntilTasks(next.job_id(), proto::RUNNING));
  EXPECT_EQ(cluster_.deployments.front().second.restored_checkpoint(), 3);
  ASSERT_TRUE(cluster_.runUntil([&] { return !cluster_.triggered.empty(); }));
  EXPECT_EQ(cluster_.triggered.front(), 4);
}

TEST_F(JobCheckpointTest, ADirectoryThatCannotBeWrittenRefusesTheJobByTheSettingsName) {
  ASSERT_OK(cluster_.files.writeAtomically("/checkpoints", "a plain file"));
  cluster_.addTaskManager("tm-1", 2);
  const absl::Status refused = cluster_.submit(graph(""));
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(refused.message(), HasSubstr("execution.checkpointing.dir"));
  EXPECT_EQ(cluster_.dispatcher().jobs().size(), 0u);
  EXPECT_EQ(cluster_.resources().freeSlots(), cluster_.resources().totalSlots());
}

TEST_F(JobCheckpointTest, AMissingPathToRestoreFromRefusesTheJob) {
  proto::JobGraph restoring = graph("");
  restoring.set_restore_path("/nowhere/chk-1");
  EXPECT_THAT(cluster_.submit(restoring),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/nowhere/chk-1")));
  EXPECT_EQ(cluster_.dispatcher().jobs().size(), 0u);
}

TEST_F(JobCheckpointTest, TooManyFailedCheckpointsFailTheJob) {
  cluster_.script.acknowledges = false;
  proto::JobGraph impatient = graph("");
  impatient.mutable_checkpointing()->set_timeout_ms(50);
  impatient.mutable_restart()->set_type("none");
  start(impatient);
  ASSERT_TRUE(cluster_.runUntilStatus(kJob, JobStatus::kFailed));
  EXPECT_THAT(cluster_.view(kJob).failure->line,
              HasSubstr("execution.checkpointing.tolerable-failed-checkpoints"));
  EXPECT_EQ(cluster_.view(kJob).failure->task_name, "");
}

TEST_F(JobCheckpointTest, TheEndOfAllDataTakesTheLastCheckpointAtOnce) {
  proto::JobGraph slow = graph("");
  slow.mutable_checkpointing()->set_interval_ms(3'600'000);
  start(slow);
  for (const auto& [worker, task] : cluster_.deploymentsOf(0)) {
    proto::WorkerToMaster message;
    message.mutable_task_state()->mutable_task()->set_vertex_id(task.vertex_id());
    message.mutable_task_state()->mutable_task()->set_subtask(task.subtask());
    message.mutable_task_state()->set_state(proto::RUNNING);
    message.mutable_task_state()->set_end_of_data(true);
    worker->send(message);
  }
  ASSERT_TRUE(
      cluster_.runUntil([&] { return cluster_.view(kJob).checkpoints.completed == 1; }, 1'000));
}

}  // namespace
}  // namespace wiesel::runtime::testing
