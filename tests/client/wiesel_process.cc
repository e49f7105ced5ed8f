#include "tests/client/wiesel_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/built_file.h"

namespace wiesel::client {

namespace {

/// Reads both until they end.
void readAll(int output_fd, int error_fd, ProgramResult& result) {
  pollfd streams[] = {{output_fd, POLLIN, 0}, {error_fd, POLLIN, 0}};
  std::string* texts[] = {&result.output, &result.errors};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    ::poll(streams, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(streams[i].fd, buffer, sizeof(buffer));
      if (count > 0) {
        texts[i]->append(buffer, static_cast<size_t>(count));
      } else {
        streams[i].fd = -1;
      }
    }
  }
}

}  // namespace

ProgramResult runProgram(const std::vector<std::string>& command) {
  int output[2];
  int errors[2];
  EXPECT_EQ(::pipe2(output, O_CLOEXEC) | ::pipe2(errors, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  std::vector<std::string> arguments = command;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  EXPECT_EQ(::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ), 0) << argv[0];
  posix_spawn_file_actions_destroy(&actions);
  ::close(output[1]);
  ::close(errors[1]);

  ProgramResult result;
  readAll(output[0], errors[0], result);
  ::close(output[0]);
  ::close(errors[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return result;
}

ProgramResult runWiesel(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), testing::builtFile("client/wiesel"));
  return runProgram(arguments);
}

}  // namespace wiesel::client
