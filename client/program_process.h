#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/jobcode/submission_status.h"
#include "runtime/jobcode/worker_environment.h"

namespace wiesel::client {

/// How the user's program ended.
struct ProgramEnd {
  bool exited = true;        // False: killed by `status`, a signal.
  int status = 0;            // Exit status or signal.
  bool interrupted = false;  // `wiesel run` was, before.
  runtime::SubmissionStatus submission;
};

/// The user's binary as a child of `wiesel run`, with its standard input, output and error.
class ProgramProcess {
 public:
  /// Whether the file can be started at all. Errors say in one line why it cannot be a job.
  static absl::Status check(const std::string& binary);

  /// Errors as check().
  static absl::StatusOr<std::unique_ptr<ProgramProcess>> start(
      const std::vector<std::string>& command, runtime::ClientEnvironment environment);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();

  /// What wait() tells, with what is known of the job so far.
  struct Callbacks {
    /// SIGINT or SIGTERM has come and will be handed on to the program. Called for the first.
    std::function<void(const runtime::SubmissionStatus&)> on_interrupt;
    /// Called about every two seconds while the program runs.
    std::function<void(const runtime::SubmissionStatus&)> on_tick;
  };

  /// Waits for the end.
  ProgramEnd wait(const Callbacks& callbacks);

 private:
  ProgramProcess(pid_t pid, int status_fd, int signal_fd);

  /// Takes in what the program has written to the pipe.
  void readStatus();

  const pid_t pid_;
  const int status_fd_;
  const int signal_fd_;
  std::string unread_;  // The begin of a line.
  runtime::SubmissionStatus submission_;
};

}  // namespace wiesel::client
