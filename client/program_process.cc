#include "client/program_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"

namespace wiesel::client {

namespace {

/// The descriptor of the status pipe in the program.
constexpr int kProgramStatusFd = 3;
constexpr int kTickMs = 2000;

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> mergedEnvironment(const runtime::EnvironmentVariables& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (!runtime::isJobVariable(name)) merged.emplace_back(*entry);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

/// posix_spawn() that gives the program `status_fd` and the signals as they were.
int spawn(const std::vector<std::string>& command, const runtime::EnvironmentVariables& added,
          int status_fd, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, status_fd, kProgramStatusFd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = mergedEnvironment(added);
  const int error = ::posix_spawn(&pid, command.front().c_str(), &actions, &attributes,
                                  pointersTo(arguments).data(), pointersTo(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int blockEndingSignals() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &ending, nullptr);
  return ::signalfd(-1, &ending, SFD_CLOEXEC);
}

}  // namespace

absl::Status ProgramProcess::check(const std::string& binary) {
  struct stat status {};
  if (::stat(binary.c_str(), &status) != 0) {
    return absl::NotFoundError(
        absl::StrFormat("'%s' cannot be run: %s", binary, std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is not a Wiesel job: it is no file that can be run", binary));
  }
  if (::access(binary.c_str(), X_OK) != 0) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "'%s' is not a Wiesel job: it cannot be executed (%s)", binary, std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ProgramProcess>> ProgramProcess::start(
    const std::vector<std::string>& command, runtime::ClientEnvironment environment) {
  WIESEL_RETURN_IF_ERROR(check(command.front()));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return absl::ResourceExhaustedError(absl::StrFormat("no pipe: %s", std::strerror(errno)));
  }
  const int signal_fd = blockEndingSignals();
  environment.status_fd = kProgramStatusFd;
  pid_t pid = -1;
  const int error = spawn(command, environment.toVariables(), ends[1], pid);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    ::close(signal_fd);
    return absl::InvalidArgumentError(
        absl::StrFormat("'%s' is not a Wiesel job: it cannot be executed (%s)", command.front(),
                        std::strerror(error)));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ProgramProcess>(new ProgramProcess(pid, ends[0], signal_fd));
}

ProgramProcess::ProgramProcess(pid_t pid, int status_fd, int signal_fd)
    : pid_(pid), status_fd_(status_fd), signal_fd_(signal_fd) {}

ProgramProcess::~ProgramProcess() {
  ::close(status_fd_);
  ::close(signal_fd_);
}

ProgramEnd ProgramProcess::wait(const Callbacks& callbacks) {
  const int process_fd = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  pollfd events[] = {{process_fd, POLLIN, 0}, {status_fd_, POLLIN, 0}, {signal_fd_, POLLIN, 0}};
  bool interrupted = false;
  while (events[0].revents == 0) {
    const int happened = ::poll(events, std::size(events), kTickMs);
    if (happened < 0) continue;
    readStatus();
    if (happened == 0) callbacks.on_tick(submission_);
    if ((events[1].revents & POLLHUP) != 0) events[1].fd = -1;
    if (events[2].revents == 0) continue;
    signalfd_siginfo info{};
    if (::read(signal_fd_, &info, sizeof(info)) != sizeof(info)) continue;
    if (!std::exchange(interrupted, true)) callbacks.on_interrupt(submission_);
    ::kill(pid_, static_cast<int>(info.ssi_signo));
  }
  ::close(process_fd);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  readStatus();
  return {.exited = info.si_code == CLD_EXITED,
          .status = info.si_status,
          .interrupted = interrupted,
          .submission = submission_};
}

void ProgramProcess::readStatus() {
  char buffer[4096];
  ssize_t count = 0;
  while ((count = ::read(status_fd_, buffer, sizeof(buffer))) > 0) {
    unread_.append(buffer, static_cast<size_t>(count));
  }
  size_t end = 0;
  while ((end = unread_.find('\n')) != std::string::npos) {
    submission_.read(std::string_view(unread_).substr(0, end));
    unread_.erase(0, end + 1);
  }
}

}  // namespace wiesel::client
