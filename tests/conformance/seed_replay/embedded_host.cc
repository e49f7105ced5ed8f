#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/conformance/seed_replay/child_process.h"
#include "tests/conformance/seed_replay/job_host.h"

namespace wiesel::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTurn{100};
constexpr int kExitFinished = 0;
constexpr int kExitFailed = 1;

class EmbeddedJob final : public ReplayedJob {
 public:
  explicit EmbeddedJob(const Command& command) : command_(command), process_(command) {}

  void cancel() override { process_.signal(SIGTERM); }
  bool hasEnded() override { return process_.waitFor(milliseconds(0)).has_value(); }

  JobResult awaitEnd(milliseconds patience, const std::stop_token& stop) override {
    const auto deadline = steady_clock::now() + patience;
    std::optional<int> status;
    while (!(status = process_.waitFor(kTurn))) {
      if (stop.stop_requested()) throw std::runtime_error("interrupted");
      if (steady_clock::now() > deadline) throw std::runtime_error("the job does not end");
    }
    const std::string last = lastLine(readFile(command_.error_file));
    if (*status == kExitFinished) return {JobEnd::kFinished, last};
    if (*status != kExitFailed) {
      throw std::runtime_error("the job's process ended with status " + std::to_string(*status) +
                               ": " + last);
    }
    const bool was_cancelled = last.starts_with("Job ") && last.ends_with(" was cancelled");
    return {was_cancelled ? JobEnd::kCanceled : JobEnd::kFailed, last};
  }

  std::string output() override { return readFile(command_.output_file); }

 private:
  const Command command_;
  ChildProcess process_;
};

class EmbeddedHost final : public JobHost {
 public:
  explicit EmbeddedHost(std::string directory) : directory_(std::move(directory)) {
    makeEmptyConfiguration(directory_ + "/conf");
  }

  std::unique_ptr<ReplayedJob> start(const JobRequest& request) override {
    const std::string name = directory_ + "/job-" + std::to_string(++jobs_);
    Command command;
    command.arguments = request.arguments;
    command.arguments.insert(command.arguments.begin(), request.program);
    if (!request.restore_path.empty()) {
      command.arguments.insert(command.arguments.end(),
                               {"-D", "execution.state-recovery.path=" + request.restore_path});
    }
    command.environment = {{"TZ", "UTC"}, {"WIESEL_CONF_DIR", directory_ + "/conf"}};
    command.directory = directory_;
    command.output_file = name + ".out";
    command.error_file = name + ".err";
    return std::make_unique<EmbeddedJob>(command);
  }

 private:
  const std::string directory_;
  int jobs_ = 0;
};

}  // namespace

std::string_view nameOf(JobEnd end) {
  switch (end) {
    case JobEnd::kFinished:
      return "FINISHED";
    case JobEnd::kCanceled:
      return "CANCELED";
    case JobEnd::kFailed:
      return "FAILED";
  }
  return "";
}

void makeEmptyConfiguration(const std::string& directory) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/config.yaml") << "# All defaults.\n";
}

std::unique_ptr<JobHost> makeEmbeddedHost(const std::string& directory) {
  return std::make_unique<EmbeddedHost>(directory);
}

}  // namespace wiesel::conformance
