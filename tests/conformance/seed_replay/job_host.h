#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wiesel::conformance {

enum class JobEnd { kFinished, kCanceled, kFailed };

std::string_view nameOf(JobEnd end);

/// What is to run.
struct JobRequest {
  std::string program;                 // The example's path.
  std::vector<std::string> arguments;  // Its own, -D included.
  std::string restore_path;            // Empty: starts from nothing.
  /// Stay with the job rather than hand it in only, to see what people read when it fails.
  bool attached = false;
};

/// How a job ended, and what a person reads about it on standard error: the last line of an
/// embedded job, all that an attached `wiesel run` prints, nothing when nobody was attached.
struct JobResult {
  JobEnd end = JobEnd::kFinished;
  std::string message;
};

/// A job that was started. Destroying it ends what it can.
///
/// Errors: std::runtime_error.
class ReplayedJob {
 public:
  virtual ~ReplayedJob() = default;
  virtual void cancel() = 0;
  /// Cheap enough to be asked ten times a second.
  virtual bool hasEnded() = 0;
  virtual JobResult awaitEnd(std::chrono::milliseconds patience, const std::stop_token& stop) = 0;
  /// What the job has printed so far.
  virtual std::string output() = 0;
};

/// A place where jobs run.
class JobHost {
 public:
  virtual ~JobHost() = default;
  virtual std::unique_ptr<ReplayedJob> start(const JobRequest& request) = 0;
};

/// Makes a configuration folder that sets nothing, so that no other one is used.
void makeEmptyConfiguration(const std::string& directory);

/// Runs each job in a process of its own. Files of the processes go to `directory`.
std::unique_ptr<JobHost> makeEmbeddedHost(const std::string& directory);

/// Runs the jobs on a cluster of its own: a JobManager, a TaskManager and the job's worker, started
/// with the program `wiesel`. Throws std::runtime_error when it does not start.
std::unique_ptr<JobHost> makeClusterHost(const std::string& wiesel, const std::string& directory);

}  // namespace wiesel::conformance
