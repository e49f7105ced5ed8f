#include "runtime/taskmanager/worker_supervisor.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/log.h"
#include "common/status_macros.h"
#include "runtime/jobcode/parent_watch.h"
#include "runtime/process/last_lines.h"

namespace wiesel::runtime {

namespace {

constexpr int64_t kStopGraceMs = 1000;
// While another thread starts a process, that one may hold the just written binary open for
// writing.
constexpr int kBusyAttempts = 1000;
/// The descriptor of the parent's pipe in a worker.
constexpr int kWorkerPipeFd = 3;

absl::Status spawnError(const std::string& binary, int error) {
  const std::string text =
      absl::StrFormat("cannot start the job's binary '%s': %s", binary, std::strerror(error));
  switch (error) {
    case ENOENT:
      return absl::NotFoundError(text);
    case EACCES:
      return absl::PermissionDeniedError(text);
    case ENOEXEC:
      return absl::FailedPreconditionError(text);
    default:
      return absl::UnavailableError(text);
  }
}

std::vector<std::string> mergedEnvironment(const EnvironmentVariables& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (!isJobVariable(name) && !added.contains(name)) merged.emplace_back(*entry);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// posix_spawn's attributes and file actions for a worker.
class SpawnPlan {
 public:
  SpawnPlan(const WorkerCommand& command, int pipe_fd) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, command.output_file.c_str(), kAppend,
                                     0644);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, command.error_file.c_str(), kAppend,
                                     0644);
    posix_spawn_file_actions_adddup2(&actions_, pipe_fd, kWorkerPipeFd);
    posix_spawn_file_actions_addclosefrom_np(&actions_, kWorkerPipeFd + 1);

    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }

  absl::StatusOr<pid_t> run(const WorkerCommand& command) {
    std::vector<std::string> arguments{command.process_name};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    EnvironmentVariables added = command.environment;
    added[kParentPipeVariable] = std::to_string(kWorkerPipeFd);
    std::vector<std::string> environment = mergedEnvironment(added);
    pid_t pid = -1;
    int error = ETXTBSY;
    for (int attempt = 0; error == ETXTBSY && attempt < kBusyAttempts; ++attempt) {
      if (attempt > 0) std::this_thread::yield();
      error = ::posix_spawn(&pid, command.binary.c_str(), &actions_, &attributes_,
                            pointersTo(arguments).data(), pointersTo(environment).data());
    }
    if (error != 0) return spawnError(command.binary, error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// What the worker said on standard error before it ended, which is why, when it was the user's
/// code.
std::string lastWords(const std::string& error_file, int64_t from_byte) {
  const std::string lines = lastLines(error_file, from_byte);
  if (lines.empty()) return absl::StrFormat("it wrote nothing to '%s'", error_file);
  return absl::StrFormat("its last words: %s (in '%s')", lines, error_file);
}

}  // namespace

std::string describeExit(int code, int status) {
  if (code == CLD_EXITED) return absl::StrFormat("ended with exit status %d", status);
  const char* name = ::sigabbrev_np(status);
  return absl::StrFormat("was killed by signal %d (SIG%s)", status, name == nullptr ? "?" : name);
}

/// One process, its end of the pipe, and the thread that waits for it.
class WorkerSupervisor::Worker {
 public:
  using OnEnded = std::function<void(std::string cause)>;

  static absl::StatusOr<std::unique_ptr<Worker>> start(const WorkerCommand& command,
                                                       OnEnded on_ended) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      return absl::ResourceExhaustedError(absl::StrFormat("no pipe: %s", std::strerror(errno)));
    }
    // What workers before it have written is not its own.
    const int64_t errors_begin = fileSize(command.error_file);
    const absl::StatusOr<pid_t> pid = SpawnPlan(command, ends[0]).run(command);
    ::close(ends[0]);
    if (!pid.ok()) {
      ::close(ends[1]);
      return pid.status();
    }
    const auto describe = [pid = *pid, error_file = command.error_file,
                           errors_begin](const siginfo_t& info) {
      return absl::StrFormat("worker process %d %s; %s", pid,
                             describeExit(info.si_code, info.si_status),
                             lastWords(error_file, errors_begin));
    };
    return std::unique_ptr<Worker>(new Worker(
        *pid, ends[1], [describe, on_ended](const siginfo_t& info) { on_ended(describe(info)); }));
  }

  ~Worker() {
    signal(SIGKILL);
    waiter_.join();
    ::close(process_fd_);
    ::close(pipe_fd_);
  }

  pid_t pid() const { return pid_; }
  void signal(int number) { ::syscall(SYS_pidfd_send_signal, process_fd_, number, nullptr, 0); }

  bool stopping = false;

 private:
  Worker(pid_t pid, int pipe_fd, std::function<void(const siginfo_t&)> on_ended)
      : pid_(pid),
        pipe_fd_(pipe_fd),
        process_fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
    waiter_ = std::thread([pid, on_ended = std::move(on_ended)] {
      siginfo_t info{};
      while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 && errno == EINTR) {
      }
      on_ended(info);
    });
  }

  const pid_t pid_;
  const int pipe_fd_;     // Its end makes the worker end.
  const int process_fd_;  // Unlike the pid, it never names another process.
  std::thread waiter_;
};

WorkerSupervisor::WorkerSupervisor(EventLoop& loop, OnExit on_exit)
    : loop_(loop), on_exit_(std::move(on_exit)) {}

WorkerSupervisor::~WorkerSupervisor() {
  for (auto& [id, worker] : workers_) worker->signal(SIGKILL);
}

absl::Status WorkerSupervisor::start(const WorkerCommand& command) {
  const std::string id = command.worker_id;
  auto on_ended = [this, &loop = loop_, id,
                   alive = std::weak_ptr<bool>(alive_)](const std::string& cause) {
    loop.post([this, id, alive, cause] {
      if (!alive.expired()) onEnded(id, cause);
    });
  };
  WIESEL_ASSIGN_OR_RETURN(workers_[id], Worker::start(command, on_ended));
  WIESEL_LOG(INFO) << absl::StrFormat("Started %s (pid=%d)", command.process_name,
                                      workers_[id]->pid());
  return absl::OkStatus();
}

void WorkerSupervisor::stop(const std::string& worker_id) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end() || found->second->stopping) return;
  found->second->stopping = true;
  found->second->signal(SIGTERM);
  loop_.postAfter(kStopGraceMs, [this, worker_id, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    if (const auto late = workers_.find(worker_id); late != workers_.end()) {
      late->second->signal(SIGKILL);
    }
  });
}

void WorkerSupervisor::onEnded(const std::string& worker_id, const std::string& cause) {
  const auto found = workers_.find(worker_id);
  if (found == workers_.end()) return;
  const bool asked = found->second->stopping;
  workers_.erase(found);
  WIESEL_LOG(INFO) << (asked ? "Stopped: " : "Lost: ") << cause;
  on_exit_(worker_id, cause, asked);
}

}  // namespace wiesel::runtime
