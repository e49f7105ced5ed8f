#include "runtime/worker/loop_task_runner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "common/simulation/simulated_world.h"

namespace wiesel::runtime {
namespace {

class SilentListener : public TaskListener {
  void taskStateChanged(const proto::TaskRef&, proto::TaskState, const proto::Failure*) override {}
  void taskReachedEndOfData(const proto::TaskRef&) override {}
  void acknowledgeCheckpoint(proto::AcknowledgeCheckpoint) override {}
  void declineCheckpoint(const proto::TaskRef&, int64_t, const std::string&) override {}
};

class LoopTaskRunnerTest : public ::testing::Test {
 protected:
  LoopTaskRunnerTest() { environment_.clock = &world_.clock(); }

  std::shared_ptr<StreamTask> runNewTask() {
    TaskSpec spec;
    spec.inputs.push_back({0, queue_});
    auto task = std::make_shared<StreamTask>(std::move(spec), environment_, listener_);
    EXPECT_TRUE(runner_.run(task, [this] { done_ = true; }).ok());
    return task;
  }

  SimulatedWorld world_{/*seed=*/1};
  SimulatedWorld::ProcessId process_ = world_.newProcess("worker");
  LoopTaskRunner runner_{[this]() -> EventLoop& { return world_.newEventLoop(process_); }};
  std::shared_ptr<ChannelQueue> queue_ = std::make_shared<ChannelQueue>();
  TaskEnvironment environment_;
  SilentListener listener_;
  bool done_ = false;
};

TEST_F(LoopTaskRunnerTest, StepsATaskUntilItIsDone) {
  const std::shared_ptr<StreamTask> task = runNewTask();
  task->cancel();
  EXPECT_FALSE(done_) << "a step inside run() or cancel()";
  world_.runUntilIdle();
  EXPECT_TRUE(done_);
}

TEST_F(LoopTaskRunnerTest, ATaskOfAKilledProcessEndsWithItsOwner) {
  std::shared_ptr<StreamTask> task = runNewTask();
  world_.kill(process_);
  const std::weak_ptr<StreamTask> observed = task;
  task.reset();
  EXPECT_TRUE(observed.expired()) << "something that the task holds holds the task";
  EXPECT_FALSE(done_);
}

}  // namespace
}  // namespace wiesel::runtime
