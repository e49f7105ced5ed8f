#include "tests/runtime/helper_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/built_file.h"

namespace wiesel::runtime {

std::string helperBinary() { return testing::builtFile("tests/runtime/process_helper"); }

HelperProcess::HelperProcess(std::vector<std::string> arguments) {
  std::string binary = helperBinary();
  std::vector<char*> argv{binary.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  EXPECT_EQ(::posix_spawn(&pid_, binary.c_str(), nullptr, nullptr, argv.data(), environ), 0)
      << binary;
}

HelperProcess::~HelperProcess() {
  kill(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void HelperProcess::kill(int signal) { ::kill(pid_, signal); }

ProcessWatch::ProcessWatch(pid_t pid)
    : process_fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
  EXPECT_GE(process_fd_, 0) << "no process " << pid;
}

ProcessWatch::~ProcessWatch() { ::close(process_fd_); }

bool ProcessWatch::endsWithin(std::chrono::milliseconds patience) const {
  pollfd process{process_fd_, POLLIN, 0};
  return ::poll(&process, 1, static_cast<int>(patience.count())) == 1;
}

}  // namespace wiesel::runtime
