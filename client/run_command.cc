#include "client/run_command.h"

#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/client_configuration.h"
#include "client/job_commands.h"
#include "client/program_process.h"
#include "client/rest_client.h"
#include "client/restart_notice.h"
#include "common/config/known_options.h"
#include "common/config/pipeline_options.h"
#include "common/status_macros.h"

namespace wiesel::client {

namespace {

std::string signalName(int number) {
  const char* name = ::sigabbrev_np(number);
  return absl::StrFormat("signal %d (SIG%s)", number, name == nullptr ? "?" : name);
}

/// Flink's wrappers around the cause of a failure, without the cause; may be empty.
std::string wrappersOf(const std::string& failure_detail) {
  const size_t cause = failure_detail.find("\nCaused by: ");
  return cause == std::string::npos ? "" : failure_detail.substr(0, cause + 1);
}

/// What follows the cause, which the program, or the C++ runtime for it, has just printed.
std::string failureText(const runtime::SubmissionStatus& job, const std::string& rest_address) {
  const std::string& id = job.submitted_job_id;
  return exceptionBlock(absl::StrFormat(
      "%sJob failed (JobID: %s)\nMore: http://%s/jobs/%s/execution-result, and %s.err and .out in "
      "the log directories of the TaskManagers",
      wrappersOf(job.failure_detail), id, rest_address, id, id));
}

/// What to print when the program ended, and whether all is well.
int report(const std::string& binary, const ProgramEnd& end, const std::string& rest_address) {
  const runtime::SubmissionStatus& job = end.submission;
  const std::string before = job.submitted_job_id.empty()
                                 ? " before it had submitted a job"
                                 : absl::StrFormat(" (job %s)", job.submitted_job_id);
  if (!end.exited && end.interrupted) {
    if (!job.submitted_job_id.empty() && job.state.empty()) {
      std::cerr << absl::StrFormat("Interrupted while waiting for job %s", job.submitted_job_id)
                << std::endl;
    }
    return 1;
  }
  if (job.state == "FAILED" && !(end.exited && end.status == 0)) {
    std::cerr << failureText(job, rest_address);
    return 1;
  }
  if (!end.exited) {
    std::cerr << absl::StrFormat("'%s' was killed by %s%s", binary, signalName(end.status), before)
              << std::endl;
    return 1;
  }
  if (!job.called_execute) {
    std::cerr << (end.status == 0
                      ? absl::StrFormat(
                            "'%s' is not a Wiesel job: it ended without calling execute()", binary)
                      : absl::StrFormat("'%s' ended with exit status %d before it called execute()",
                                        binary, end.status))
              << std::endl;
    return 1;
  }
  if (end.status == 0) return 0;
  if (job.state == "CANCELED") {
    std::cerr << exceptionBlock(
        absl::StrFormat("Job was cancelled (JobID: %s)", job.submitted_job_id));
  }
  return 1;
}

/// Says once, and again when it changes, that the job cannot start since slots are missing; and
/// that it restarts.
class TroubleNotice {
 public:
  explicit TroubleNotice(const RestClient& rest) : rest_(rest) {}

  void look(const runtime::SubmissionStatus& job) {
    if (job.submitted_job_id.empty() || !job.state.empty()) return;
    const absl::StatusOr<JobTrouble> trouble = rest_.troubleOf(job.submitted_job_id);
    if (!trouble.ok()) return;
    if (std::exchange(waiting_, trouble->waiting) != trouble->waiting && !waiting_.empty()) {
      std::cerr << absl::StrFormat("Job %s is %s", job.submitted_job_id, waiting_) << std::endl;
    }
    const auto restarted = restarts_.look(trouble->restarts, trouble->restart_cause);
    if (restarted) std::cerr << *restarted << std::endl;
  }

 private:
  const RestClient& rest_;
  std::string waiting_;
  RestartNotice restarts_;
};

absl::StatusOr<int> run(const CommandLine& line) {
  WIESEL_ASSIGN_OR_RETURN(const Configuration configuration, configurationOf(line));
  // The program warns; here only what is wrong ends it early.
  WIESEL_RETURN_IF_ERROR(checkConfiguration(configuration).status);
  const RestClient rest(restAddressOf(configuration));
  runtime::ClientEnvironment environment;
  WIESEL_ASSIGN_OR_RETURN(environment.rpc_address, rest.rpcAddress());
  environment.detached = line.detached;
  environment.configuration = configuration;
  WIESEL_ASSIGN_OR_RETURN(const auto program, ProgramProcess::start(line.program, environment));
  TroubleNotice notice(rest);
  const bool cancel_on_exit = configuration.get(kShutdownOnAttachedExit) && !line.detached;
  const auto cancel_if_asked = [&](const runtime::SubmissionStatus& job) {
    if (!cancel_on_exit) return;
    if (job.submitted_job_id.empty() || !job.state.empty()) return;
    const absl::Status cancelled = rest.cancel(job.submitted_job_id);
    if (!cancelled.ok()) std::cerr << std::string(cancelled.message()) << std::endl;
  };
  const ProgramEnd end =
      program->wait({.on_interrupt = cancel_if_asked,
                     .on_tick = [&](const runtime::SubmissionStatus& job) { notice.look(job); }});
  return report(line.program.front(), end, restAddressOf(configuration));
}

}  // namespace

int runRun(const CommandLine& line) {
  if (line.check_only) {
    std::cout << "wiesel run --check: not in this version" << std::endl;
    return 1;
  }
  if (line.program.empty()) {
    std::cout << "No program was given: name the job's binary." << std::endl;
    return 1;
  }
  if (!line.main_class.empty()) {
    std::cerr << "Ignoring -c " << line.main_class << ": a binary has one main()" << std::endl;
  }
  // Before anything is asked of the cluster.
  const absl::Status binary = ProgramProcess::check(line.program.front());
  if (!binary.ok()) {
    std::cout << std::string(binary.message()) << std::endl;
    return 1;
  }
  const absl::StatusOr<int> status = run(line);
  if (status.ok()) return *status;
  std::cerr << std::string(status.status().message()) << std::endl;
  return 1;
}

}  // namespace wiesel::client
