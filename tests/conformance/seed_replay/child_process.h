#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wiesel::conformance {

/// What to start, and where its output goes.
struct Command {
  std::vector<std::string> arguments;              // The first is the program's path.
  std::map<std::string, std::string> environment;  // Beside that of this process.
  std::string directory;                           // The working directory.
  std::string output_file;                         // Created; as the next.
  std::string error_file;
};

/// A process that this one has started. Its standard input is empty.
///
/// Errors: std::runtime_error when it cannot be started.
class ChildProcess {
 public:
  explicit ChildProcess(const Command& command);
  /// Kills the process if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void signal(int number);

  /// Waits for the end. Returns the exit status, 128 + N for signal N; nullopt when it still runs.
  std::optional<int> waitFor(std::chrono::milliseconds patience);

 private:
  pid_t pid_ = -1;
  int descriptor_ = -1;  // A pidfd: readable from the end on.
  std::optional<int> status_;
};

/// The whole file; empty when there is none.
std::string readFile(const std::string& path);

/// The last line that is not empty.
std::string lastLine(const std::string& text);

}  // namespace wiesel::conformance
