#include "client/cluster_commands.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/client_configuration.h"
#include "client/daemon.h"
#include "client/pid_files.h"
#include "common/config/cluster_options.h"
#include "common/status_macros.h"
#include "runtime/jobmanager/job_manager_process.h"
#include "runtime/taskmanager/task_manager_process.h"

namespace wiesel::client {

namespace {

constexpr char kJobManager[] = "jobmanager";
constexpr char kTaskManager[] = "taskmanager";
constexpr int64_t kStartTimeoutMs = 60'000;
constexpr int64_t kStopTimeoutMs = 10'000;

int fail(const absl::Status& status) {
  std::cerr << std::string(status.message()) << std::endl;
  return 1;
}

std::vector<std::string> daemonArguments(const std::string& verb, const CommandLine& line) {
  std::vector<std::string> arguments = {verb};
  if (line.configuration_directory.has_value()) {
    arguments.insert(arguments.end(), {"--configDir", *line.configuration_directory});
  }
  for (const std::string& property : line.properties) {
    arguments.insert(arguments.end(), {"-D", property});
  }
  return arguments;
}

/// The processes that start-cluster has started; ends them again unless all is well.
class StartingCluster {
 public:
  StartingCluster(const CommandLine& line, std::string pid_directory)
      : line_(line), pid_directory_(std::move(pid_directory)) {}
  StartingCluster(const StartingCluster&) = delete;
  StartingCluster& operator=(const StartingCluster&) = delete;
  ~StartingCluster() {
    if (started_) return;
    for (const auto& [daemon, pid_file] : daemons_) {
      daemon->kill(SIGTERM);
      removePid(pid_file, daemon->pid());
    }
  }

  absl::Status start() {
    WIESEL_RETURN_IF_ERROR(launch(kJobManager, daemonArguments(kJobManager, line_)));
    WIESEL_ASSIGN_OR_RETURN(const std::string ready,
                            announce(*daemons_.front().daemon, kJobManager));
    const std::string rpc = readyValue(ready, "rpc");

    std::vector<std::string> arguments = daemonArguments(kTaskManager, line_);
    const size_t colon = rpc.rfind(':');
    arguments.insert(arguments.end(), {"-D", "jobmanager.rpc.address=" + rpc.substr(0, colon), "-D",
                                       "jobmanager.rpc.port=" + rpc.substr(colon + 1)});
    for (int i = 0; i < line_.task_managers; ++i) {
      WIESEL_RETURN_IF_ERROR(launch(kTaskManager, arguments));
    }
    for (size_t i = 1; i < daemons_.size(); ++i) {
      WIESEL_RETURN_IF_ERROR(announce(*daemons_[i].daemon, kTaskManager).status());
    }
    started_ = true;
    return absl::OkStatus();
  }

 private:
  struct Started {
    std::unique_ptr<Daemon> daemon;
    std::string pid_file;
  };

  absl::Status launch(const std::string& role, const std::vector<std::string>& arguments) {
    WIESEL_ASSIGN_OR_RETURN(auto daemon, Daemon::start(arguments));
    const std::string pid_file = pidFile(pid_directory_, role);
    daemons_.push_back({std::move(daemon), pid_file});
    return appendPid(pid_file, daemons_.back().daemon->pid());
  }

  absl::StatusOr<std::string> announce(Daemon& daemon, const std::string& role) {
    const absl::StatusOr<std::string> ready = daemon.awaitReady(kStartTimeoutMs);
    if (!ready.ok()) {
      return absl::UnavailableError(absl::StrFormat("%s (the %s did not start)",
                                                    std::string(ready.status().message()), role));
    }
    std::cout << *ready << std::endl;
    return ready;
  }

  const CommandLine& line_;
  const std::string pid_directory_;
  std::vector<Started> daemons_;
  bool started_ = false;
};

/// Waits until all of them have ended, or the time is up.
void awaitEnds(const std::vector<pollfd>& processes, int64_t timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  for (pollfd process : processes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    ::poll(&process, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
  }
}

/// Ends the processes of a role; returns how many there were.
size_t stopRole(const std::string& directory, const std::string& role) {
  const std::string file = pidFile(directory, role);
  const std::vector<pid_t> pids = livingPids(file, role);
  std::vector<pollfd> processes;
  for (const pid_t pid : pids) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (fd < 0) continue;
    std::cout << absl::StrFormat("Stopping %s (pid %d).", role, pid) << std::endl;
    ::kill(pid, SIGTERM);
    processes.push_back({fd, POLLIN, 0});
  }
  awaitEnds(processes, kStopTimeoutMs);
  for (pollfd& process : processes) {
    if (::poll(&process, 1, 0) == 0) {
      ::syscall(SYS_pidfd_send_signal, process.fd, SIGKILL, nullptr, 0);
      ::poll(&process, 1, static_cast<int>(kStopTimeoutMs));
    }
    ::close(process.fd);
  }
  ::unlink(file.c_str());
  return processes.size();
}

}  // namespace

int runStartCluster(const CommandLine& line) {
  const absl::StatusOr<Configuration> configuration = processConfigurationOf(line);
  if (!configuration.ok()) return fail(configuration.status());
  StartingCluster cluster(line, configuration->get(kPidDirectory));
  const absl::Status status = cluster.start();
  return status.ok() ? 0 : fail(status);
}

int runStopCluster(const CommandLine& line) {
  const absl::StatusOr<Configuration> configuration = configurationOf(line);
  if (!configuration.ok()) return fail(configuration.status());
  const std::string directory = configuration->get(kPidDirectory);
  const size_t stopped = stopRole(directory, kTaskManager) + stopRole(directory, kJobManager);
  if (stopped == 0) {
    std::cout << absl::StrFormat("No process to stop (no pid file in '%s', env.pid.dir).",
                                 directory)
              << std::endl;
  }
  return 0;
}

int runJobManagerVerb(const CommandLine& line) {
  const absl::StatusOr<Configuration> configuration = processConfigurationOf(line);
  return configuration.ok() ? runtime::runJobManager(*configuration) : fail(configuration.status());
}

int runTaskManagerVerb(const CommandLine& line) {
  const absl::StatusOr<Configuration> configuration = processConfigurationOf(line);
  return configuration.ok() ? runtime::runTaskManager(*configuration)
                            : fail(configuration.status());
}

}  // namespace wiesel::client
