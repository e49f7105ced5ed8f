#pragma once

#include <sys/types.h>

#include <chrono>
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

/// Watches a process that is no child of the test.
class ProcessWatch {
 public:
  explicit ProcessWatch(pid_t pid);
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;
  ~ProcessWatch();

  bool endsWithin(std::chrono::milliseconds patience) const;

 private:
  const int process_fd_;
};

}  // namespace wiesel::runtime
