#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/event_loop.h"
#include "runtime/jobcode/worker_environment.h"

namespace wiesel::runtime {

/// How to start one worker.
struct WorkerCommand {
  std::string worker_id;
  std::string binary;
  std::string process_name;  // argv[0], as ps shows it.
  std::vector<std::string> arguments;
  EnvironmentVariables environment;  // Beside this process's own.
  std::string output_file;           // Standard output is appended to it.
  std::string error_file;
};

/// Starts the worker processes of one TaskManager and hears at once when one ends.
///
/// A worker has an empty standard input, no other descriptors of this process, default signals and
/// a process group of its own. It ends within 100 ms of this process, however that ends
/// (runtime/jobcode/parent_watch.h).
///
/// Threads: belongs to `loop`: created, called and destroyed there, or after it has stopped.
/// Errors:  what the system says about the binary: NotFound, PermissionDenied, or
///          FailedPrecondition when it is no program.
class WorkerSupervisor {
 public:
  /// `cause` reads "worker process 4711 was killed by signal 6 (SIGABRT); its last words: what():
  /// no such table (in '/log/JOB.err')"; `asked` is true after a stop().
  using OnExit =
      std::function<void(const std::string& worker_id, const std::string& cause, bool asked)>;

  /// `on_exit` hears of every worker that was started and has ended.
  WorkerSupervisor(EventLoop& loop, OnExit on_exit);
  WorkerSupervisor(const WorkerSupervisor&) = delete;
  WorkerSupervisor& operator=(const WorkerSupervisor&) = delete;
  ~WorkerSupervisor();  // Kills all workers and waits until they are gone.

  absl::Status start(const WorkerCommand& command);

  /// Asks the process to end, and kills it when it has not after a second. Ignores unknown ones.
  void stop(const std::string& worker_id);

  bool has(const std::string& worker_id) const { return workers_.contains(worker_id); }
  size_t numWorkers() const { return workers_.size(); }

 private:
  class Worker;

  void onEnded(const std::string& worker_id, const std::string& cause);

  EventLoop& loop_;
  const OnExit on_exit_;
  std::map<std::string, std::unique_ptr<Worker>> workers_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// What waitid() said about a child, in words: "was killed by signal 9 (SIGKILL)".
std::string describeExit(int code, int status);

}  // namespace wiesel::runtime
