#include "tests/conformance/seed_replay/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace wiesel::conformance {
namespace {

constexpr mode_t kFileMode = 0644;

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& additions) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!additions.contains(text.substr(0, text.find('=')))) environment.push_back(text);
  }
  for (const auto& [name, value] : additions) environment.push_back(name + "=" + value);
  return environment;
}

/// The files and signals that a child starts with.
class SpawnSettings {
 public:
  explicit SpawnSettings(const Command& command) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    constexpr int kCreate = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, command.output_file.c_str(), kCreate,
                                     kFileMode);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, command.error_file.c_str(), kCreate,
                                     kFileMode);
    if (!command.directory.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
    }
    // Threads of this process block signals; a child must get them.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

ChildProcess::ChildProcess(const Command& command) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = environmentWith(command.environment);
  const SpawnSettings settings(command);
  const int error =
      posix_spawn(&pid_, arguments.front().c_str(), &settings.actions, &settings.attributes,
                  pointersTo(arguments).data(), pointersTo(environment).data());
  if (error != 0) {
    throw std::runtime_error("cannot start " + arguments.front() + ": " +
                             std::generic_category().message(error));
  }
  // The C library's header of pidfd_open() is not fit for C++.
  descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

ChildProcess::~ChildProcess() {
  if (!status_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void ChildProcess::signal(int number) {
  if (!status_) kill(pid_, number);
}

std::optional<int> ChildProcess::waitFor(std::chrono::milliseconds patience) {
  if (status_) return status_;
  pollfd end{descriptor_, POLLIN, 0};
  if (poll(&end, 1, static_cast<int>(patience.count())) < 1) return std::nullopt;
  int status = 0;
  if (waitpid(pid_, &status, 0) != pid_) return std::nullopt;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return status_;
}

std::string readFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string lastLine(const std::string& text) {
  const size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace wiesel::conformance
