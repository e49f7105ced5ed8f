#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "tests/conformance/seed_replay/child_process.h"
#include "tests/conformance/seed_replay/http_get.h"
#include "tests/conformance/seed_replay/job_host.h"

namespace wiesel::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTurn{100};
constexpr milliseconds kVerbPatience{60'000};
constexpr milliseconds kStopPatience{5'000};
constexpr size_t kJobIdDigits = 32;

/// One cluster: how to call `wiesel`, and what the READY lines said.
struct Cluster {
  std::string wiesel;
  std::string directory;
  std::string rest;              // HOST:PORT.
  std::string output_directory;  // Of the TaskManager: what jobs print.
  std::vector<pid_t> processes;
  int verbs = 0;

  Command command(const std::string& verb, std::vector<std::string> arguments) {
    const std::string file = directory + "/" + verb + "-" + std::to_string(++verbs);
    arguments.insert(arguments.begin(), {wiesel, verb});
    const std::map<std::string, std::string> environment = {
        {"TZ", "UTC"}, {"WIESEL_CONF_DIR", directory + "/conf"}};
    return {std::move(arguments), environment, directory, file + ".out", file + ".err"};
  }

  /// Runs a verb to its end. Returns what it printed.
  std::string run(const std::string& verb, std::vector<std::string> arguments,
                  milliseconds patience = kVerbPatience) {
    const Command starting = command(verb, std::move(arguments));
    ChildProcess process(starting);
    const std::optional<int> status = process.waitFor(patience);
    if (status == 0) return readFile(starting.output_file);
    throw std::runtime_error("wiesel " + verb +
                             (status ? " ended with status " + std::to_string(*status) + ": " +
                                           lastLine(readFile(starting.error_file))
                                     : " does not end"));
  }
};

/// The word right behind `marker`, which is looked for behind `start`; nullopt without a marker.
std::optional<std::string> wordBehind(const std::string& text, std::string_view marker,
                                      size_t start = 0) {
  const size_t found = text.find(marker, start);
  if (found == std::string::npos) return std::nullopt;
  const size_t begin = found + marker.size();
  return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

class ClusterJob final : public ReplayedJob {
 public:
  ClusterJob(Cluster& cluster, std::string id, std::unique_ptr<ChildProcess> client,
             std::string client_error_file)
      : cluster_(cluster),
        id_(std::move(id)),
        client_(std::move(client)),
        client_error_file_(std::move(client_error_file)) {}

  void cancel() override { cluster_.run("cancel", {"-m", cluster_.rest, id_}); }
  bool hasEnded() override { return state().has_value(); }

  JobResult awaitEnd(milliseconds patience, const std::stop_token& stop) override {
    const auto deadline = steady_clock::now() + patience;
    std::optional<JobEnd> end;
    while (!(end = state())) {
      if (stop.stop_requested()) throw std::runtime_error("interrupted");
      if (steady_clock::now() > deadline) throw std::runtime_error("the job does not end");
      std::this_thread::sleep_for(kTurn);
    }
    if (client_ == nullptr) return {*end, ""};
    const std::optional<int> status = client_->waitFor(kVerbPatience);
    if (!status) throw std::runtime_error("the job has ended, but not the attached wiesel run");
    if ((*status == 0) != (*end == JobEnd::kFinished)) {
      throw std::runtime_error("the job is " + std::string(nameOf(*end)) +
                               ", but the attached wiesel run ended with status " +
                               std::to_string(*status));
    }
    return {*end, readFile(client_error_file_)};
  }

  std::string output() override { return readFile(cluster_.output_directory + "/" + id_ + ".out"); }

 private:
  /// How the job ended, if it has.
  std::optional<JobEnd> state() const {
    const auto answer = nlohmann::json::parse(httpGet(cluster_.rest, "/jobs/" + id_ + "/status"));
    const std::string status = answer.at("status");
    for (const JobEnd end : {JobEnd::kFinished, JobEnd::kCanceled, JobEnd::kFailed}) {
      if (status == nameOf(end)) return end;
    }
    return std::nullopt;
  }

  Cluster& cluster_;
  const std::string id_;
  const std::unique_ptr<ChildProcess> client_;  // Null: the job was only handed in.
  const std::string client_error_file_;
};

class ClusterHost final : public JobHost {
 public:
  ClusterHost(const std::string& wiesel, const std::string& directory) {
    cluster_.wiesel = wiesel;
    cluster_.directory = directory;
    makeEmptyConfiguration(directory + "/conf");
    for (const char* name : {"/log", "/pid"}) {
      std::filesystem::create_directories(directory + name);
    }
    try {
      start();
    } catch (const std::exception&) {
      stop();
      throw;
    }
  }
  ~ClusterHost() override { stop(); }

  std::unique_ptr<ReplayedJob> start(const JobRequest& request) override {
    std::vector<std::string> arguments = {"-m", cluster_.rest};
    if (!request.attached) arguments.insert(arguments.begin(), "-d");
    if (!request.restore_path.empty()) {
      arguments.insert(arguments.end(), {"-s", request.restore_path});
    }
    arguments.push_back(request.program);
    arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
    const Command command = cluster_.command("run", arguments);
    auto client = std::make_unique<ChildProcess>(command);
    const std::string id = awaitJobId(command, *client);
    if (!request.attached) {
      if (client->waitFor(kVerbPatience) != 0) {
        throw std::runtime_error("wiesel run -d failed after it had handed the job in: " +
                                 lastLine(readFile(command.error_file)));
      }
      client.reset();
    }
    return std::make_unique<ClusterJob>(cluster_, id, std::move(client), command.error_file);
  }

 private:
  void start() {
    const std::string ready = cluster_.run(
        "start-cluster", {"--taskmanagers", "1", "-D", "rest.port=0", "-D", "jobmanager.rpc.port=0",
                          "-D", "env.log.dir=" + cluster_.directory + "/log", "-D",
                          "env.pid.dir=" + cluster_.directory + "/pid"});
    const auto rest = wordBehind(ready, " rest=");
    const auto log = wordBehind(ready, " log=", ready.find("READY id="));
    if (!rest || !log) throw std::runtime_error("start-cluster printed no READY lines: " + ready);
    cluster_.rest = *rest;
    cluster_.output_directory = *log;
    constexpr std::string_view kPid = " pid=";
    for (size_t at = 0; (at = ready.find(kPid, at)) != std::string::npos; at += kPid.size()) {
      cluster_.processes.push_back(std::stoi(ready.substr(at + kPid.size())));
    }
  }

  /// Whatever stop-cluster says, nothing is left running.
  void stop() {
    try {
      cluster_.run("stop-cluster", {"-D", "env.pid.dir=" + cluster_.directory + "/pid"},
                   kStopPatience);
    } catch (const std::exception&) {
      for (const pid_t process : cluster_.processes) kill(process, SIGKILL);
    }
  }

  static std::string awaitJobId(const Command& command, ChildProcess& client) {
    const auto deadline = steady_clock::now() + kVerbPatience;
    while (steady_clock::now() < deadline) {
      const bool has_ended = client.waitFor(kTurn / 10).has_value();
      const auto id = wordBehind(readFile(command.output_file), "with JobID ");
      if (id && id->size() == kJobIdDigits) return *id;
      if (has_ended) break;
    }
    throw std::runtime_error("wiesel run has not handed the job in: " +
                             lastLine(readFile(command.error_file)));
  }

  Cluster cluster_;
};

}  // namespace

std::unique_ptr<JobHost> makeClusterHost(const std::string& wiesel, const std::string& directory) {
  return std::make_unique<ClusterHost>(wiesel, directory);
}

}  // namespace wiesel::conformance
