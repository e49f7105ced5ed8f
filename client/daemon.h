#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace wiesel::client {

/// A process of the cluster that outlives the one that starts it: a session of its own, no input,
/// and after its READY line no output to here (runtime/process/ready_line.h).
class Daemon {
 public:
  /// Starts this program again with these arguments.
  static absl::StatusOr<std::unique_ptr<Daemon>> start(std::vector<std::string> arguments);
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon();  // Leaves the process alone.

  pid_t pid() const { return pid_; }

  /// The whole READY line. Waits at most `timeout_ms`. Unavailable, with what the process said on
  /// standard error, when it ended before; it is ended when it takes too long.
  absl::StatusOr<std::string> awaitReady(int64_t timeout_ms);

  void kill(int signal);

 private:
  Daemon(pid_t pid, int output_fd, int error_fd);

  const pid_t pid_;
  const int output_fd_;
  const int error_fd_;
};

/// The value of a word "name=value" in a READY line; empty when it is not there.
std::string readyValue(const std::string& line, const std::string& name);

}  // namespace wiesel::client
