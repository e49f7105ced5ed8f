#include "client/job_commands.h"

#include <ctime>
#include <iostream>

#include "absl/strings/str_format.h"
#include "client/client_configuration.h"
#include "common/ids.h"

namespace wiesel::client {

namespace {

constexpr char kLine[] = "--------------------------------------------------------------";
constexpr char kRunningTitle[] = "------------------ Running/Restarting Jobs -------------------";
constexpr char kScheduledTitle[] = "----------------------- Scheduled Jobs -----------------------";
constexpr char kTerminatedTitle[] =
    "---------------------- Terminated Jobs -----------------------";

bool isScheduled(const JobSummary& job) {
  return job.status == "CREATED" || job.status == "INITIALIZING";
}
bool isTerminated(const JobSummary& job) {
  return job.status == "FINISHED" || job.status == "CANCELED" || job.status == "FAILED";
}
bool isRunning(const JobSummary& job) { return !isScheduled(job) && !isTerminated(job); }

std::string timeText(int64_t epoch_ms) {
  const time_t seconds = epoch_ms / 1000;
  tm local{};
  ::localtime_r(&seconds, &local);
  char text[32];
  std::strftime(text, sizeof(text), "%d.%m.%Y %H:%M:%S", &local);
  return text;
}

std::string section(const std::vector<JobSummary>& jobs, bool (*belongs)(const JobSummary&),
                    const char* title, const char* none) {
  std::string lines;
  for (const JobSummary& job : jobs) {
    if (!belongs(job)) continue;
    lines += absl::StrFormat("%s : %s : %s (%s)\n", timeText(job.start_ms), job.id, job.name,
                             job.status);
  }
  if (lines.empty()) return std::string(none) + "\n";
  return absl::StrFormat("%s\n%s%s\n", title, lines, kLine);
}

int fail(const std::string& message) {
  std::cerr << message << std::endl;
  return 1;
}

}  // namespace

std::string exceptionBlock(const std::string& text) {
  return absl::StrFormat(
      "\n------------------------------------------------------------\n"
      " The program finished with the following exception:\n\n%s\n",
      text);
}

std::string listText(const std::vector<JobSummary>& jobs, const CommandLine& line) {
  const bool chosen = line.running || line.scheduled;
  std::string text;
  if (!chosen || line.running || line.all) {
    text += section(jobs, isRunning, kRunningTitle, "No running jobs.");
  }
  if (!chosen || line.scheduled || line.all) {
    text += section(jobs, isScheduled, kScheduledTitle, "No scheduled jobs.");
  }
  if (line.all) text += section(jobs, isTerminated, kTerminatedTitle, "No terminated jobs.");
  return text;
}

int runList(const CommandLine& line) {
  const absl::StatusOr<Configuration> configuration = configurationOf(line);
  if (!configuration.ok()) return fail(std::string(configuration.status().message()));
  std::cout << "Waiting for response..." << std::endl;
  const auto jobs = RestClient(restAddressOf(*configuration)).jobs();
  if (!jobs.ok()) return fail(std::string(jobs.status().message()));
  std::cout << listText(*jobs, line) << std::flush;
  return 0;
}

int runCancel(const CommandLine& line) {
  if (line.cancel_with_savepoint.has_value()) {
    std::cout << "wiesel cancel --withSavepoint: not in this version" << std::endl;
    return 1;
  }
  if (line.job_id.empty()) {
    std::cout << "Missing JobID. Specify a JobID to cancel a job." << std::endl;
    return 1;
  }
  const auto job_id = Id128::fromHex(line.job_id);
  if (!job_id.has_value()) {
    std::cout << absl::StrFormat(
                     "Cannot parse JobID from \"%s\". The expected format is [0-9a-fA-F]{32}, e.g. "
                     "fd72014d4c864993a2e5a9287b4a9c5d.",
                     line.job_id)
              << std::endl;
    return 1;
  }
  const absl::StatusOr<Configuration> configuration = configurationOf(line);
  if (!configuration.ok()) return fail(std::string(configuration.status().message()));
  const std::string id = job_id->toHex();
  std::cout << "Cancelling job " << id << "." << std::endl;
  const absl::Status status = RestClient(restAddressOf(*configuration)).cancel(id);
  if (!status.ok()) {
    std::cerr << exceptionBlock(absl::StrFormat("Could not cancel job %s.\nCaused by: %s", id,
                                                std::string(status.message())));
    return 1;
  }
  std::cout << "Cancelled job " << id << "." << std::endl;
  return 0;
}

}  // namespace wiesel::client
