#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace wiesel::runtime {

/// The path of the test's helper program (helper_main.cc says what it can do).
std::string helperBinary();

/// The helper program as a child of the test, killed at the end.
class HelperProcess {
 public:
  explicit HelperProcess(std::vector<std::string> arguments);
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;
  ~HelperProcess();

  pid_t pid() const { return pid_; }
  void kill(int signal);

 private:
  pid_t pid_ = -1;
};

}  // namespace wiesel::runtime
