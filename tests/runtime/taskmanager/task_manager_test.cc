#include "runtime/taskmanager/task_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/clock.h"
#include "common/thread_event_loop.h"
#include "common/thread_pool.h"
#include "common/version.h"
#include "tests/runtime/helper_process.h"
#include "tests/runtime/rpc/link_cluster.h"
#include "tests/support/awaited_queue.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// A TaskManager over real gRPC, with the test as its JobManager.
class TaskManagerTest : public ::testing::Test, private TaskManagerListener {
 protected:
  TaskManagerTest() : blobs_(BlobStore::open(directory_.file("blobs")).value()) {}

  ~TaskManagerTest() override {
    onLoop(loop_, [this] { task_manager_.reset(); });
    disk_work_.stop();
    onLoop(master_->loop, [this] { link_.reset(); });
  }

  static void onLoop(EventLoop& loop, const std::function<void()>& closure) {
    testing::AwaitedQueue<bool> done;
    loop.post([&] {
      closure();
      done.push(true);
    });
    ASSERT_TRUE(done.pop().has_value());
  }

  void startTaskManager() {
    TaskManagerSettings settings;
    settings.id = "taskmanager-1";
    settings.host = "127.0.0.1";
    settings.master_address = master_->address();
    settings.slots = 3;
    settings.managed_memory_bytes = 300;
    settings.registration_timeout_ms = 60'000;
    settings.log_directory = directory_.path();
    settings.working_directory = directory_.path();
    onLoop(loop_, [&] {
      task_manager_ = std::make_unique<TaskManager>(TaskManager::Parts{.loop = loop_,
                                                                       .clock = clock_,
                                                                       .disk_work = disk_work_,
                                                                       .blobs = *blobs_,
                                                                       .listener = *this},
                                                    settings);
      task_manager_->start();
    });
  }

  /// Takes the TaskManager's connection; returns its registration.
  proto::RegisterTaskManager accept() {
    auto link = master_->master.task_managers.pop();
    EXPECT_TRUE(link.has_value());
    if (!link.has_value()) return {};
    link_ = *std::move(link);
    link_->start([this](const proto::TaskManagerToMaster& message) { received_.push(message); },
                 [this](const std::string& why) { closed_.push(why); });
    const auto first = received_.pop();
    EXPECT_TRUE(first.has_value() && first->has_register_());
    return first.has_value() ? first->register_() : proto::RegisterTaskManager();
  }

  void answerRegistration(int64_t heartbeat_timeout_ms = 60'000) {
    proto::MasterToTaskManager answer;
    answer.mutable_registered()->set_heartbeat_interval_ms(10);
    answer.mutable_registered()->set_heartbeat_timeout_ms(heartbeat_timeout_ms);
    link_->send(answer);
    ASSERT_EQ(events_.pop().value_or(""), "registered");
  }

  void startAndRegister() {
    startTaskManager();
    accept();
    answerRegistration();
  }

  void startWorker(const std::vector<std::string>& arguments, const std::string& binary_path,
                   const std::string& hash) {
    proto::MasterToTaskManager message;
    proto::StartWorker& start = *message.mutable_start_worker();
    start.set_job_id("JOB");
    start.set_worker_id("worker-1");
    start.set_binary_hash(hash);
    start.set_binary_path(binary_path);
    for (const std::string& argument : arguments) start.add_arguments(argument);
    (*start.mutable_environment())["WIESEL_TEST_MARK"] = "from the client";
    start.set_managed_memory_bytes(100);
    link_->send(message);
  }

  void startHelper(const std::vector<std::string>& arguments) {
    const std::string hash = master_->blobs->addFile(helperBinary()).value();
    startWorker(arguments, master_->blobs->pathOf(hash).value(), hash);
  }

  /// The lines that the job's workers have printed, once there are so many.
  std::vector<std::string> outputLines(size_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::vector<std::string> lines;
    while (lines.size() < count && std::chrono::steady_clock::now() < deadline) {
      lines.clear();
      std::ifstream file(directory_.file("JOB.out"));
      for (std::string line; std::getline(file, line);) lines.push_back(line);
      std::this_thread::yield();
    }
    return lines;
  }

  proto::WorkerExited nextExit() {
    const auto message = received_.pop();
    EXPECT_TRUE(message.has_value() && message->has_worker_exited());
    return message.has_value() ? message->worker_exited() : proto::WorkerExited();
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<LinkServerFixture> master_ = std::make_unique<LinkServerFixture>();
  std::unique_ptr<MasterToTaskManagerLink> link_;
  testing::AwaitedQueue<proto::TaskManagerToMaster> received_;
  testing::AwaitedQueue<std::string> closed_;
  testing::AwaitedQueue<std::string> events_;

  SystemClock clock_;
  ThreadPool disk_work_{1, "disk"};
  std::unique_ptr<BlobStore> blobs_;
  ThreadEventLoop loop_{"taskmanager"};
  std::unique_ptr<TaskManager> task_manager_;

 private:
  void onRegistered() override { events_.push("registered"); }
  void onWaitingForJobManager(const std::string& why) override { events_.push("waiting: " + why); }
  void onFatal(const std::string& why) override { events_.push("fatal: " + why); }
};

TEST_F(TaskManagerTest, RegistersWhatItOffers) {
  startTaskManager();
  const proto::RegisterTaskManager registration = accept();
  EXPECT_EQ(registration.id(), "taskmanager-1");
  EXPECT_EQ(registration.host(), "127.0.0.1");
  EXPECT_EQ(registration.slots(), 3);
  EXPECT_EQ(registration.pid(), ::getpid());
  EXPECT_EQ(registration.log_directory(), directory_.path());
  EXPECT_EQ(registration.managed_memory_bytes(), 300);
  EXPECT_EQ(registration.version(), kVersion);
  answerRegistration();
}

TEST_F(TaskManagerTest, AnswersHeartbeats) {
  startAndRegister();
  proto::MasterToTaskManager heartbeat;
  heartbeat.mutable_heartbeat();
  link_->send(heartbeat);
  const auto answer = received_.pop();
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answer->has_heartbeat());
}

TEST_F(TaskManagerTest, EndsWhenItIsRefused) {
  startTaskManager();
  accept();
  proto::MasterToTaskManager refused;
  refused.set_refused("its version is another");
  link_->send(refused);
  EXPECT_THAT(events_.pop().value_or(""), AllOf(HasSubstr("fatal: "), HasSubstr("refused"),
                                                HasSubstr("its version is another")));
}

TEST_F(TaskManagerTest, StartsTheJobsBinaryAsAWorker) {
  startAndRegister();
  startHelper({"describe-worker", "--flag", "value"});
  const std::vector<std::string> lines = outputLines(1);
  EXPECT_EQ(lines.at(0),
            "wiesel-worker JOB taskmanager-1 | describe-worker --flag value | job=JOB "
            "worker=worker-1 taskmanager=taskmanager-1 jobmanager=" +
                master_->address() +
                " host=127.0.0.1 memory=100 directory=exists mark=from the client");
}

TEST_F(TaskManagerTest, ReportsAWorkerThatDied) {
  startAndRegister();
  startHelper({"raise", std::to_string(SIGABRT)});
  const proto::WorkerExited exited = nextExit();
  EXPECT_EQ(exited.job_id(), "JOB");
  EXPECT_EQ(exited.worker_id(), "worker-1");
  EXPECT_THAT(exited.cause(),
              MatchesRegex("worker process [0-9]+ was killed by signal 6 \\(SIGABRT\\); .*"));
}

TEST_F(TaskManagerTest, StopsAWorkerWithoutReportingIt) {
  startAndRegister();
  startHelper({"wait"});
  const std::vector<std::string> lines = outputLines(1);
  const ProcessWatch worker(std::stoi(lines.at(0).substr(sizeof("waiting in"))));
  proto::MasterToTaskManager stop;
  stop.mutable_stop_worker()->set_worker_id("worker-1");
  link_->send(stop);
  EXPECT_TRUE(worker.endsWithin(std::chrono::seconds(10)));
  // What comes next is the answer to this, not the exit.
  proto::MasterToTaskManager heartbeat;
  heartbeat.mutable_heartbeat();
  link_->send(heartbeat);
  const auto next = received_.pop();
  ASSERT_TRUE(next.has_value());
  EXPECT_TRUE(next->has_heartbeat());
}

TEST_F(TaskManagerTest, ReportsABinaryThatNobodyHas) {
  startAndRegister();
  startWorker({}, "/no/such/binary", std::string(32, '0'));
  EXPECT_THAT(nextExit().cause(), HasSubstr("no job binary with hash"));
}

TEST_F(TaskManagerTest, FetchesABinaryThatIsNotOnItsHost) {
  startAndRegister();
  const std::string hash = master_->blobs->addFile(helperBinary()).value();
  startWorker({"exit", "5"}, "/only/on/another/host", hash);
  EXPECT_THAT(nextExit().cause(), HasSubstr("ended with exit status 5"));
  EXPECT_TRUE(blobs_->contains(hash));
}

TEST_F(TaskManagerTest, StopsWorkersAndRegistersAgainWhenTheConnectionIsLost) {
  startAndRegister();
  startHelper({"wait"});
  const std::vector<std::string> lines = outputLines(1);
  const ProcessWatch worker(std::stoi(lines.at(0).substr(sizeof("waiting in"))));
  onLoop(master_->loop, [this] { link_->close(); });
  EXPECT_TRUE(worker.endsWithin(std::chrono::seconds(10)));
  EXPECT_THAT(events_.pop().value_or(""), HasSubstr("waiting: "));
  EXPECT_EQ(accept().id(), "taskmanager-1");
  answerRegistration();
}

TEST_F(TaskManagerTest, GivesUpAJobManagerThatIsSilent) {
  startTaskManager();
  accept();
  answerRegistration(/*heartbeat_timeout_ms=*/50);
  EXPECT_THAT(events_.pop().value_or(""), HasSubstr("waiting: no heartbeat for"));
  EXPECT_TRUE(closed_.pop().has_value());
}

TEST_F(TaskManagerTest, KeepsTryingWhileThereIsNoJobManager) {
  master_->server->shutdown();
  startTaskManager();
  EXPECT_THAT(events_.pop().value_or(""),
              AllOf(HasSubstr("waiting: cannot reach the JobManager at " + master_->address()),
                    HasSubstr("Connection refused")));
}

}  // namespace
}  // namespace wiesel::runtime
