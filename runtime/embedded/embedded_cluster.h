#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/config/configuration.h"
#include "common/standard_stream.h"
#include "runtime/graph/job_plan.h"
#include "runtime/jobmanager/job_view.h"

namespace wiesel::runtime {

/// A whole cluster in this process: the same dispatcher, scheduler and tasks as in separate ones,
/// over an in-process transport. It has as many slots as its job needs.
///
/// Threads: one thread uses it, but cancel() may come from any.
/// Flink:   MiniCluster, LocalExecutor (1.20).
class EmbeddedCluster {
 public:
  /// Takes what the job prints; any thread.
  using PrintLine = std::function<void(StandardStream stream, const std::string& line)>;

  /// `plan` must outlive the cluster.
  EmbeddedCluster(const JobPlan& plan, const Configuration& configuration, PrintLine print_line);
  EmbeddedCluster(const EmbeddedCluster&) = delete;
  EmbeddedCluster& operator=(const EmbeddedCluster&) = delete;
  /// Ends the process with status 1 when a task goes on although it was cancelled and
  /// task.cancellation.timeout is over.
  ~EmbeddedCluster();

  /// Runs `graph`, which is the plan's with a job id, to its end. An error: the job was refused.
  absl::StatusOr<JobView> run(proto::JobGraph graph);

  /// Cancels the job that run() runs, if it does.
  void cancel();

 private:
  class Processes;

  std::unique_ptr<Processes> processes_;
};

}  // namespace wiesel::runtime
