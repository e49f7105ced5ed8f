#include "runtime/worker/thread_task_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "runtime/task/stream_task.h"
#include "tests/support/status_matchers.h"

namespace wiesel::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using wiesel::testing::StatusIs;

constexpr int64_t kLongMs = 60'000;

class IgnoringListener final : public TaskListener {
 public:
  void taskStateChanged(const proto::TaskRef&, proto::TaskState, const proto::Failure*) override {}
  void taskReachedEndOfData(const proto::TaskRef&) override {}
  void acknowledgeCheckpoint(proto::AcknowledgeCheckpoint) override {}
  void declineCheckpoint(const proto::TaskRef&, int64_t, const std::string&) override {}
};

class ThreadTaskRunnerTest : public ::testing::Test {
 protected:
  ThreadTaskRunnerTest() {
    vertex_.name = "map";
    vertex_.parallelism = 2;
    environment_.clock = &clock_;
  }

  std::shared_ptr<StreamTask> newTask() {
    TaskSpec spec;
    spec.vertex = &vertex_;
    spec.ref.set_vertex_id("0123456789abcdef");
    return std::make_shared<StreamTask>(std::move(spec), environment_, listener_);
  }

  ManualClock clock_;
  VertexPlan vertex_;
  TaskEnvironment environment_;
  IgnoringListener listener_;
};

TEST_F(ThreadTaskRunnerTest, NoThreadIsAnErrorThatSaysWhatToDo) {
  ThreadTaskRunner runner([](std::function<void()>) -> std::thread {
    throw std::system_error(EAGAIN, std::generic_category());
  });
  bool done = false;
  EXPECT_THAT(runner.run(newTask(), [&done] { done = true; }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("Resource temporarily unavailable): raise the limit")));
  EXPECT_FALSE(done);
  EXPECT_THAT(runner.awaitAll(0), IsEmpty());
}

TEST_F(ThreadTaskRunnerTest, NamesTheTasksThatDoNotEnd) {
  std::promise<void> go_on;
  ThreadTaskRunner runner([&go_on](std::function<void()> body) {
    return std::thread([&go_on, body = std::move(body)] {
      go_on.get_future().wait();
      body();
    });
  });
  const auto task = newTask();
  EXPECT_OK(runner.run(task, [] {}));
  task->cancel();
  EXPECT_THAT(runner.awaitAll(0), ElementsAre("map (1/2)"));
  go_on.set_value();
  EXPECT_THAT(runner.awaitAll(kLongMs), IsEmpty());
}

}  // namespace
}  // namespace wiesel::runtime
