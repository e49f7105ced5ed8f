#include "tests/runtime/helper_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

namespace wiesel::runtime {

std::string helperBinary() {
  const char* runfiles = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  if (runfiles == nullptr || workspace == nullptr) return "tests/runtime/process_helper";
  return std::string(runfiles) + "/" + workspace + "/tests/runtime/process_helper";
}

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

}  // namespace wiesel::runtime
