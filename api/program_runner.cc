#include "api/program_runner.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "api/signal_watch.h"
#include "common/config/checkpointing_options.h"
#include "common/config/config_loader.h"
#include "common/config/known_options.h"
#include "common/filesystem/absolute_path.h"
#include "common/filesystem/local_file_system.h"
#include "common/ids.h"
#include "common/log.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "runtime/embedded/embedded_cluster.h"
#include "runtime/graph/job_plan.h"
#include "runtime/jobcode/job_submitter.h"
#include "runtime/jobcode/worker_environment.h"
#include "runtime/worker/print_line.h"
#include "runtime/worker/worker_process.h"

namespace wiesel::internal {
namespace {

using runtime::JobPlan;
using runtime::JobStatus;
using runtime::JobView;

// What the client tells its workers beside the program's own settings: which execute() they serve,
// and where the client was started, which is what relative paths among the arguments mean.
constexpr char kExecuteIndexKey[] = "wiesel.internal.execute-index";
constexpr char kClientDirectoryKey[] = "wiesel.internal.client-directory";

int nextExecuteIndex() {
  static std::atomic<int> next{0};
  return next++;
}

absl::StatusOr<ProgramResult> runEmbedded(const JobPlan& plan, const Configuration& configuration) {
  SystemRandom random;
  runtime::proto::JobGraph graph = plan.graph;
  graph.set_job_id(randomId(random).toHex());
  // Signals are taken before any thread of the cluster starts, so that none of them gets one.
  SignalWatch signals;
  runtime::EmbeddedCluster cluster(plan, configuration, runtime::printLine);
  signals.onSignal([&cluster] { cluster.cancel(); });
  absl::StatusOr<JobView> ended = cluster.run(std::move(graph));
  signals.onSignal(nullptr);
  WIESEL_ASSIGN_OR_RETURN(const JobView view, std::move(ended));
  if (view.status == JobStatus::kCanceled) {
    return absl::CancelledError(absl::StrFormat("Job %s was cancelled", view.id));
  }
  if (view.status != JobStatus::kFinished) {
    return absl::AbortedError(view.failure ? view.failure->line
                                           : absl::StrFormat("Job %s failed", view.id));
  }
  return ProgramResult{view.id, view.durationMs()};
}

absl::StatusOr<ProgramResult> runOnCluster(const JobPlan& plan, runtime::ClientEnvironment client,
                                           const Configuration& configuration, int execute_index) {
  // Workers build the program again: they need what was decided here.
  client.configuration.merge(configuration);
  client.configuration.setString(kExecuteIndexKey, std::to_string(execute_index));
  std::error_code ignored;
  client.configuration.setString(kClientDirectoryKey,
                                 std::filesystem::current_path(ignored).string());
  WIESEL_ASSIGN_OR_RETURN(const runtime::SubmittedJob job, runtime::submitJob(plan.graph, client));
  if (!job.result) return ProgramResult{job.job_id, 0};
  if (job.result->state() == "CANCELED") {
    return absl::CancelledError(absl::StrFormat("Job %s was cancelled", job.job_id));
  }
  if (job.result->state() != "FINISHED") return absl::AbortedError(job.result->failure());
  return ProgramResult{job.job_id, job.result->runtime_ms()};
}

void enterClientDirectory(const Configuration& configuration) {
  std::error_code ignored;  // On another host it may not be there; then only absolute paths work.
  if (const auto directory = configuration.getString(kClientDirectoryKey)) {
    std::filesystem::current_path(*directory, ignored);
  }
}

bool servesExecute(const runtime::WorkerEnvironment& worker, int execute_index) {
  const auto served = worker.configuration.getString(kExecuteIndexKey);
  return served.value_or("0") == std::to_string(execute_index);
}

}  // namespace

absl::StatusOr<Configuration> processConfiguration() {
  if (const auto worker = runtime::WorkerEnvironment::fromProcess()) {
    enterClientDirectory(worker->configuration);
    return worker->configuration;
  }
  if (const auto client = runtime::ClientEnvironment::fromProcess()) return client->configuration;
  const char* directory = std::getenv("WIESEL_CONF_DIR");
  return loadProcessConfiguration(
      LocalFileSystem(), std::nullopt,
      directory == nullptr ? std::nullopt : std::optional<std::string>(directory));
}

absl::Status checkProgramConfiguration(const Configuration& configuration) {
  const ConfigurationCheck check = checkConfiguration(configuration);
  if (!runtime::WorkerEnvironment::fromProcess()) {
    for (const std::string& warning : check.warnings) WIESEL_LOG(WARN) << warning;
  }
  return check.status;
}

absl::StatusOr<ProgramResult> runProgram(runtime::StreamGraph program,
                                         const Configuration& configuration,
                                         const std::string& job_name) {
  const int execute_index = nextExecuteIndex();
  WIESEL_ASSIGN_OR_RETURN(JobPlan plan, planJob(std::move(program), configuration, job_name));
  plan.graph.set_execute_index(execute_index);
  const std::optional<std::string> restore_path = configuration.get(kStateRecoveryPath);
  if (restore_path && restore_path->empty()) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%s is empty: give the directory of a checkpoint, or leave it out to start from nothing",
        std::string(kStateRecoveryPath.key)));
  }
  // Relative paths mean the client's directory, also to the JobManager.
  plan.graph.set_restore_path(absolutePath(restore_path.value_or("")));
  plan.graph.mutable_checkpointing()->set_directory(
      absolutePath(plan.graph.checkpointing().directory()));
  plan.graph.set_allow_non_restored_state(configuration.get(kIgnoreUnclaimedState));
  if (const auto worker = runtime::WorkerEnvironment::fromProcess()) {
    if (servesExecute(*worker, execute_index)) runWorkerProcess(plan, *worker);
    return ProgramResult{};  // A job before the one that this worker serves.
  }
  if (auto client = runtime::ClientEnvironment::fromProcess()) {
    return runOnCluster(plan, std::move(*client), configuration, execute_index);
  }
  return runEmbedded(plan, configuration);
}

}  // namespace wiesel::internal
