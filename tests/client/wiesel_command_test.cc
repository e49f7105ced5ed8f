// Runs the built `wiesel` against a cluster of real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "client/rest_client.h"
#include "tests/client/wiesel_process.h"
#include "tests/support/built_file.h"
#include "tests/support/temporary_directory.h"

namespace wiesel::client {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kUnknownJob(32, '0');

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The value of a word " name=value" of a line.
std::string wordOf(const std::string& line, const std::string& name) {
  const std::string prefix = " " + name + "=";
  const size_t begin = line.find(prefix);
  if (begin == std::string::npos) return "";
  const size_t value = begin + prefix.size();
  return line.substr(value, line.find(' ', value) - value);
}

/// A JobManager and a TaskManager, for all tests.
class WieselCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = std::make_unique<testing::TemporaryDirectory>();
    started_ =
        runWiesel(withFolders({"start-cluster", "-D", "rest.port=0", "-D", "jobmanager.rpc.port=0",
                               "-D", "taskmanager.numberOfTaskSlots=4"}));
    ASSERT_EQ(started_.exit_status, 0) << started_.errors;
    rest_ = wordOf(linesOf(started_.output).front(), "rest");
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(runWiesel(withFolders({"stop-cluster"})).exit_status, 0);
    directory_.reset();
  }

  static std::vector<std::string> withFolders(std::vector<std::string> arguments) {
    for (const std::string name : {"env.pid.dir", "env.log.dir", "io.tmp.dirs"}) {
      arguments.insert(arguments.end(), {"-D", name + "=" + directory_->file(name)});
    }
    return arguments;
  }

  /// A verb on that cluster; the options stand before what follows the verb.
  static ProgramResult wiesel(const std::string& verb, std::vector<std::string> rest = {}) {
    rest.insert(rest.begin(), {verb, "-m", rest_});
    return runWiesel(rest);
  }

  static std::string script(const std::string& name, const std::string& text) {
    const std::string path = directory_->file(name);
    std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
    ::chmod(path.c_str(), 0755);
    return path;
  }

  /// The flags of a job that ends by itself, or runs until it is cancelled.
  static std::vector<std::string> windows(const std::string& output, int records, int rate) {
    return {testing::builtFile("examples/exactly_once_windows"),
            "--records",
            std::to_string(records),
            "--rate",
            std::to_string(rate),
            "--keys",
            "10",
            "--output",
            directory_->file(output),
            "--checkpoint-dir",
            "file://" + directory_->file("checkpoints"),
            "--checkpoint-interval",
            "1000"};
  }

  static std::string submitDetached(const std::vector<std::string>& program) {
    std::vector<std::string> arguments = program;
    arguments.insert(arguments.begin(), "-d");
    const ProgramResult run = wiesel("run", arguments);
    EXPECT_EQ(run.exit_status, 0) << run.errors;
    EXPECT_THAT(run.output, MatchesRegex("Job has been submitted with JobID [0-9a-f]+\n"));
    return run.output.size() > 33 ? run.output.substr(run.output.size() - 33, 32) : kUnknownJob;
  }

  static void awaitStatus(const std::string& job_id, const std::string& status) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::string seen;
    while (seen != status && std::chrono::steady_clock::now() < deadline) {
      const auto jobs = RestClient(rest_).jobs();
      ASSERT_TRUE(jobs.ok()) << jobs.status();
      for (const JobSummary& job : *jobs) {
        if (job.id == job_id) seen = job.status;
      }
      std::this_thread::yield();
    }
    EXPECT_EQ(seen, status);
  }

  static inline std::unique_ptr<testing::TemporaryDirectory> directory_;
  static inline ProgramResult started_;
  static inline std::string rest_;
};

TEST_F(WieselCommandTest, StartClusterPrintsTheReadyLines) {
  const std::vector<std::string> lines = linesOf(started_.output);
  ASSERT_EQ(lines.size(), 2) << started_.output;
  EXPECT_THAT(lines[0], MatchesRegex("READY rpc=127.0.0.1:[0-9]+ rest=127.0.0.1:[0-9]+ pid=[0-9]+ "
                                     "log=/[^ ]+"));
  EXPECT_THAT(lines[1], MatchesRegex("READY id=[^ ]+ pid=[0-9]+ log=/[^ ]+"));
  EXPECT_THAT(started_.errors, IsEmpty());
}

TEST_F(WieselCommandTest, NamesAPortThatIsInUse) {
  const std::string port = rest_.substr(rest_.rfind(':') + 1);
  const ProgramResult second = runWiesel(
      withFolders({"jobmanager", "-D", "jobmanager.rpc.port=0", "-D", "rest.port=" + port}));
  EXPECT_EQ(second.exit_status, 1);
  EXPECT_EQ(second.output, "");
  EXPECT_THAT(second.errors,
              AllOf(StartsWith("port " + port + " is in use"), HasSubstr("'rest.port'")));
  const ProgramResult cluster = runWiesel(
      withFolders({"start-cluster", "-D", "jobmanager.rpc.port=0", "-D", "rest.port=" + port}));
  EXPECT_EQ(cluster.exit_status, 1);
  EXPECT_THAT(cluster.errors, StartsWith("port " + port + " is in use"));
  // Of the cluster that did not start nothing is left, of the one that runs everything.
  std::ifstream pids(
      directory_->file("env.pid.dir/wiesel-" + std::to_string(::getuid()) + "-jobmanager.pid"));
  const std::string content{std::istreambuf_iterator<char>(pids), {}};
  EXPECT_EQ(content, wordOf(linesOf(started_.output).front(), "pid") + "\n");
}

TEST_F(WieselCommandTest, RefusesAMalformedValue) {
  const ProgramResult result =
      runWiesel(withFolders({"taskmanager", "-D", "taskmanager.numberOfTaskSlots=many"}));
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("taskmanager.numberOfTaskSlots"), HasSubstr("many")));
}

TEST_F(WieselCommandTest, RunPrintsFlinksLines) {
  const ProgramResult run = wiesel("run", windows("finished", 20'000, 0));
  ASSERT_EQ(run.exit_status, 0) << run.errors;
  const std::vector<std::string> lines = linesOf(run.output);
  ASSERT_EQ(lines.size(), 4) << run.output;
  EXPECT_THAT(lines[0], StartsWith("Job has been submitted with JobID "));
  const std::string id = lines[0].substr(lines[0].size() - 32);
  EXPECT_EQ(lines[1], "Program execution finished");
  EXPECT_EQ(lines[2], "Job with JobID " + id + " has finished.");
  EXPECT_THAT(lines[3], MatchesRegex("Job Runtime: [0-9]+ ms"));

  EXPECT_THAT(wiesel("list", {"-a"}).output, HasSubstr(id + " : "));
  const ProgramResult cancelled = wiesel("cancel", {id});
  EXPECT_EQ(cancelled.exit_status, 1);
  EXPECT_THAT(cancelled.errors, HasSubstr("another terminal state (FINISHED)"));
}

TEST_F(WieselCommandTest, ListsAndCancelsAJobThatRuns) {
  const std::string id = submitDetached(windows("cancelled", 1'000'000, 1'000));
  awaitStatus(id, "RUNNING");
  EXPECT_THAT(
      wiesel("list").output,
      AllOf(StartsWith("Waiting for response...\n"
                       "------------------ Running/Restarting Jobs -------------------\n"),
            HasSubstr(id + " : "), HasSubstr(" (RUNNING)\n"), EndsWith("No scheduled jobs.\n")));
  const ProgramResult cancel = wiesel("cancel", {id});
  EXPECT_EQ(cancel.exit_status, 0);
  EXPECT_EQ(cancel.output, "Cancelling job " + id + ".\nCancelled job " + id + ".\n");
  awaitStatus(id, "CANCELED");
  EXPECT_THAT(wiesel("list").output, Not(HasSubstr(id)));
}

TEST_F(WieselCommandTest, SaysThatSlotsAreMissingAndThenWhyTheJobFailed) {
  std::vector<std::string> arguments = windows("no_slots", 1'000, 0);
  arguments.insert(arguments.begin(), {"-D", "slot.request.timeout=3 s"});
  arguments.insert(arguments.end(), {"--parallelism", "9"});
  const ProgramResult run = wiesel("run", arguments);
  EXPECT_EQ(run.exit_status, 1);
  const std::string id =
      linesOf(run.output).at(0).substr(sizeof("Job has been submitted with JobID"));
  // The notice, the cause in one line, then Flink's wrappers and where more is; nothing twice.
  EXPECT_THAT(run.errors,
              MatchesRegex("Job " + id +
                           " is waiting for 9 slots, 4 there\n"
                           "NoResourceAvailableException: [^\n]*\n"
                           "\n-+\n The program finished with the following exception:\n\n"
                           "org.apache.flink.runtime.JobException: [^\n]*\n"
                           "Job failed \\(JobID: " +
                           id +
                           "\\)\n"
                           "More: http://" +
                           rest_ + "/jobs/" + id + "/execution-result, [^\n]*\n"));
  EXPECT_EQ(run.errors.find("NoResourceAvailableException"),
            run.errors.rfind("NoResourceAvailableException"));
}

TEST_F(WieselCommandTest, CancelNeedsTheIdOfAJob) {
  const ProgramResult none = wiesel("cancel");
  EXPECT_EQ(none.exit_status, 1);
  EXPECT_THAT(none.output, StartsWith("Missing JobID."));
  const ProgramResult malformed = wiesel("cancel", {"nothex"});
  EXPECT_EQ(malformed.exit_status, 1);
  EXPECT_EQ(malformed.output,
            "Cannot parse JobID from \"nothex\". The expected format is [0-9a-fA-F]{32}, e.g. "
            "fd72014d4c864993a2e5a9287b4a9c5d.\n");
  const ProgramResult unknown = wiesel("cancel", {kUnknownJob});
  EXPECT_EQ(unknown.exit_status, 1);
  EXPECT_THAT(unknown.errors,
              AllOf(HasSubstr(" The program finished with the following exception:\n"),
                    HasSubstr("Could not cancel job " + kUnknownJob + "."),
                    HasSubstr("Job could not be found."),
                    HasSubstr("Could not find Flink job (" + kUnknownJob + ")")));
}

TEST_F(WieselCommandTest, SaysInOneLineThatSomethingIsNoJob) {
  const std::string text = directory_->file("text");
  std::ofstream(text) << "hello";
  const std::string no_program = directory_->file("no_program");
  std::ofstream(no_program) << std::string(
      "\x7f"
      "ELF, but not really",
      20);
  ::chmod(no_program.c_str(), 0755);

  struct Case {
    std::string binary;
    std::string line;  // Somewhere in it.
  };
  const std::vector<Case> cases = {
      {"/no/such/file", "'/no/such/file' cannot be run: No such file or directory"},
      {text, "'" + text + "' is not a Wiesel job: it cannot be executed (Permission denied)"},
      {no_program, "is not a Wiesel job: it cannot be executed (Exec format error)"},
      {directory_->path(), "is not a Wiesel job: it is no file that can be run"},
      {"/bin/true", "'/bin/true' is not a Wiesel job: it ended without calling execute()"},
      {"/bin/false", "'/bin/false' ended with exit status 1 before it called execute()"},
      {script("crashes", "kill -SEGV $$"),
       "was killed by signal 11 (SIGSEGV) before it had submitted a job"}};
  for (const Case& c : cases) {
    const ProgramResult run = wiesel("run", {c.binary});
    EXPECT_EQ(run.exit_status, 1) << c.binary;
    const std::vector<std::string> lines = linesOf(run.output + run.errors);
    ASSERT_EQ(lines.size(), 1) << run.output << run.errors;
    EXPECT_THAT(lines[0], HasSubstr(c.line));
  }
}

TEST_F(WieselCommandTest, SaysThatThereIsNoCluster) {
  const ProgramResult run = runWiesel({"run", "-m", "127.0.0.1:1", "/bin/true"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.errors, AllOf(StartsWith("cannot reach 127.0.0.1:1: Connection refused"),
                                HasSubstr("-m HOST:PORT")));
  EXPECT_EQ(linesOf(run.errors).size(), 1);
  EXPECT_EQ(runWiesel({"list", "-m", "127.0.0.1:1"}).exit_status, 1);
  EXPECT_EQ(runWiesel({"list", "-m", "nonsense"}).exit_status, 1);
}

TEST_F(WieselCommandTest, StopClusterEndsWhatStartClusterStarted) {
  const testing::TemporaryDirectory directory;
  const auto with_folders = [&](std::vector<std::string> arguments) {
    for (const std::string name : {"env.pid.dir", "env.log.dir", "io.tmp.dirs"}) {
      arguments.insert(arguments.end(), {"-D", name + "=" + directory.file(name)});
    }
    return arguments;
  };
  const ProgramResult start =
      runWiesel(with_folders({"start-cluster", "--taskmanagers", "2", "-D", "rest.port=0", "-D",
                              "jobmanager.rpc.port=0"}));
  ASSERT_EQ(start.exit_status, 0) << start.errors;
  std::vector<pid_t> pids;
  for (const std::string& line : linesOf(start.output)) {
    pids.push_back(std::stoi(wordOf(line, "pid")));
  }
  ASSERT_EQ(pids.size(), 3);
  const ProgramResult stop = runWiesel(with_folders({"stop-cluster"}));
  EXPECT_EQ(stop.exit_status, 0);
  for (const pid_t pid : pids) {
    EXPECT_THAT(stop.output, HasSubstr("(pid " + std::to_string(pid) + ")"));
    // Gone, or only waiting for a parent to look.
    std::ifstream command("/proc/" + std::to_string(pid) + "/cmdline");
    EXPECT_EQ(command.peek(), std::ifstream::traits_type::eof());
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.file("io.tmp.dirs")));
  EXPECT_THAT(runWiesel(with_folders({"stop-cluster"})).output, StartsWith("No process to stop"));
}

}  // namespace
}  // namespace wiesel::client
