#include "client/daemon.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include "absl/strings/str_format.h"
#include "runtime/process/ready_line.h"

namespace wiesel::client {

namespace {

constexpr char kOwnProgram[] = "/proc/self/exe";
constexpr std::string_view kReady = "READY ";

std::string ownPath() {
  std::string path(4096, '\0');
  const ssize_t length = ::readlink(kOwnProgram, path.data(), path.size());
  return length <= 0 ? kOwnProgram : path.substr(0, static_cast<size_t>(length));
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

int spawn(std::vector<std::string>& arguments, int output_fd, int error_fd, pid_t& pid) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  environment.push_back(std::string(runtime::kDaemonVariable) + "=1");

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output_fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  const int error = ::posix_spawn(&pid, kOwnProgram, &actions, &attributes,
                                  pointersTo(arguments).data(), pointersTo(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Appends what can be read; false at the end of the file.
bool readAvailable(int fd, std::string& text) {
  char buffer[4096];
  const ssize_t count = ::read(fd, buffer, sizeof(buffer));
  if (count > 0) text.append(buffer, static_cast<size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

std::string withoutLastNewline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Daemon>> Daemon::start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ownPath());
  int output[2];
  int errors[2];
  if (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0) {
    return absl::ResourceExhaustedError(absl::StrFormat("no pipe: %s", std::strerror(errno)));
  }
  pid_t pid = -1;
  const int error = spawn(arguments, output[1], errors[1], pid);
  ::close(output[1]);
  ::close(errors[1]);
  auto daemon = std::unique_ptr<Daemon>(new Daemon(pid, output[0], errors[0]));
  if (error == 0) return daemon;
  return absl::UnavailableError(
      absl::StrFormat("cannot start a process: %s", std::strerror(error)));
}

Daemon::Daemon(pid_t pid, int output_fd, int error_fd)
    : pid_(pid), output_fd_(output_fd), error_fd_(error_fd) {}

Daemon::~Daemon() {
  ::close(output_fd_);
  ::close(error_fd_);
}

void Daemon::kill(int signal) { ::kill(pid_, signal); }

absl::StatusOr<std::string> Daemon::awaitReady(int64_t timeout_ms) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  std::string output;
  std::string errors;
  pollfd streams[] = {{output_fd_, POLLIN, 0}, {error_fd_, POLLIN, 0}};
  // Both streams end with the process, unless it has become ready.
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      kill(SIGKILL);
      break;
    }
    if (::poll(streams, 2, static_cast<int>(left.count())) <= 0) continue;
    if (streams[0].revents != 0 && !readAvailable(output_fd_, output)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !readAvailable(error_fd_, errors)) streams[1].fd = -1;
    const size_t end = output.find('\n');
    if (output.starts_with(kReady) && end != std::string::npos) return output.substr(0, end);
  }
  ::waitpid(pid_, nullptr, 0);
  errors = withoutLastNewline(errors);
  return absl::UnavailableError(errors.empty() ? "the process ended before it was ready" : errors);
}

std::string readyValue(const std::string& line, const std::string& name) {
  const std::string prefix = " " + name + "=";
  const size_t begin = line.find(prefix);
  if (begin == std::string::npos) return "";
  const size_t value = begin + prefix.size();
  return line.substr(value, line.find(' ', value) - value);
}

}  // namespace wiesel::client
