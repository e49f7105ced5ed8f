#include "runtime/taskmanager/worker_supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/thread_event_loop.h"
#include "tests/runtime/helper_process.h"
#include "tests/support/awaited_queue.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using wiesel::testing::StatusIs;

struct Exit {
  std::string worker_id;
  std::string cause;
  bool asked;
};

/// "worker process 4711 ended" -> "worker process PID ended".
std::string withoutPid(std::string cause) {
  const size_t begin = cause.find_first_of("0123456789");
  const size_t end = cause.find(' ', begin);
  if (end != std::string::npos) cause.replace(begin, end - begin, "PID");
  return cause;
}

class WorkerSupervisorTest : public ::testing::Test {
 protected:
  WorkerSupervisorTest() {
    onLoop([this] {
      supervisor_ = std::make_unique<WorkerSupervisor>(
          loop_, [this](const std::string& id, const std::string& cause, bool asked) {
            exits_.push({id, cause, asked});
          });
    });
  }
  ~WorkerSupervisorTest() override {
    onLoop([this] { supervisor_.reset(); });
  }

  void onLoop(const std::function<void()>& closure) {
    testing::AwaitedQueue<bool> done;
    loop_.post([&] {
      closure();
      done.push(true);
    });
    ASSERT_TRUE(done.pop().has_value());
  }

  absl::Status start(const std::vector<std::string>& arguments, const std::string& binary = "") {
    WorkerCommand command;
    command.worker_id = "worker";
    command.binary = binary.empty() ? helperBinary() : binary;
    command.process_name = "wiesel-worker JOB TASKMANAGER";
    command.arguments = arguments;
    command.environment = {{"WIESEL_TEST_MARK", "marked"}};
    command.output_file = directory_.file("JOB.out");
    command.error_file = directory_.file("JOB.err");
    absl::Status status;
    onLoop([&] { status = supervisor_->start(command); });
    return status;
  }

  /// Waits until the worker has written this many lines.
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

  testing::TemporaryDirectory directory_;
  ThreadEventLoop loop_{"supervisor"};
  testing::AwaitedQueue<Exit> exits_;
  std::unique_ptr<WorkerSupervisor> supervisor_;
};

TEST_F(WorkerSupervisorTest, GivesTheWorkerItsNameArgumentsAndNothingElse) {
  ASSERT_OK(start({"describe", "a b", "", "--flag=x"}));
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(withoutPid(exit->cause),
            "worker process PID ended with exit status 0; it wrote nothing to '" +
                directory_.file("JOB.err") + "'");
  EXPECT_FALSE(exit->asked);
  EXPECT_EQ(outputLines(1),
            (std::vector<std::string>{"name=wiesel-worker JOB TASKMANAGER", "argument=describe",
                                      "argument=a b", "argument=", "argument=--flag=x",
                                      "mark=marked", "stdin=0 bytes", "descriptors=0 1 2 3 "}));
}

TEST_F(WorkerSupervisorTest, AppendsTheOutputOfASecondWorker) {
  ASSERT_OK(start({"exit", "0"}));
  ASSERT_TRUE(exits_.pop().has_value());
  ASSERT_OK(start({"exit", "0"}));
  ASSERT_TRUE(exits_.pop().has_value());
  EXPECT_EQ(outputLines(2), (std::vector<std::string>{"exiting with 0", "exiting with 0"}));
}

TEST_F(WorkerSupervisorTest, TellsAnExitStatus) {
  ASSERT_OK(start({"exit", "3"}));
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->worker_id, "worker");
  EXPECT_THAT(exit->cause, HasSubstr("ended with exit status 3"));
}

TEST_F(WorkerSupervisorTest, TellsTheSignalThatKilledAWorker) {
  ASSERT_OK(start({"raise", std::to_string(SIGKILL)}));
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_THAT(exit->cause,
              MatchesRegex("worker process [0-9]+ was killed by signal 9 \\(SIGKILL\\); .*"));
}

TEST_F(WorkerSupervisorTest, TellsTheLastWordsOfAWorkerAndWhereTheRestIs) {
  std::ofstream(directory_.file("JOB.err")) << "of a worker before it\n";
  ASSERT_OK(start({"throw", "no such table\nin this database"}));
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(withoutPid(exit->cause),
            "worker process PID was killed by signal 6 (SIGABRT); its last words: terminate called "
            "after throwing an instance of 'std::runtime_error' | what():  no such table | in this "
            "database (in '" +
                directory_.file("JOB.err") + "')");
}

TEST_F(WorkerSupervisorTest, StopsAWorkerOnRequest) {
  ASSERT_OK(start({"wait"}));
  outputLines(1);
  onLoop([this] { supervisor_->stop("worker"); });
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->asked);
  EXPECT_THAT(exit->cause, HasSubstr("SIGTERM"));
}

TEST_F(WorkerSupervisorTest, KillsAWorkerThatIgnoresTheRequest) {
  ASSERT_OK(start({"ignore-term"}));
  outputLines(1);
  onLoop([this] { supervisor_->stop("worker"); });
  const auto exit = exits_.pop();
  ASSERT_TRUE(exit.has_value());
  EXPECT_TRUE(exit->asked);
  EXPECT_THAT(exit->cause, HasSubstr("SIGKILL"));
}

TEST_F(WorkerSupervisorTest, SaysWhyABinaryCannotBeStarted) {
  EXPECT_THAT(start({}, "/no/such/binary"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/binary")));
  const std::string text = directory_.file("text");
  std::ofstream(text) << "this is no program";
  ::chmod(text.c_str(), 0755);
  EXPECT_THAT(start({}, text),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Exec format error")));
  EXPECT_FALSE(exits_.pop(std::chrono::milliseconds(0)).has_value());
}

// A process stands for the TaskManager here, so that it can be killed.
TEST_F(WorkerSupervisorTest, WorkersEndWithTheirTaskManager) {
  HelperProcess task_manager({"supervise", directory_.path()});
  const std::vector<std::string> lines = outputLines(1);
  ASSERT_EQ(lines.size(), 1);
  ASSERT_THAT(lines.at(0), MatchesRegex("waiting in [0-9]+"));
  const ProcessWatch worker(std::stoi(lines.at(0).substr(sizeof("waiting in"))));
  task_manager.kill(SIGKILL);
  EXPECT_TRUE(worker.endsWithin(std::chrono::seconds(10)));
}

}  // namespace
}  // namespace wiesel::runtime
