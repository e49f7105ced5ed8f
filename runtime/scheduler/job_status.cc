#include "runtime/scheduler/job_status.h"

namespace wiesel::runtime {

std::string_view nameOf(JobStatus status) {
  constexpr std::array<std::string_view, kNumJobStatuses> kNames = {
      "INITIALIZING", "CREATED",  "RUNNING",    "FAILING",   "FAILED",     "CANCELLING",
      "CANCELED",     "FINISHED", "RESTARTING", "SUSPENDED", "RECONCILING"};
  return kNames.at(static_cast<size_t>(status));
}

bool isTerminal(JobStatus status) {
  return status == JobStatus::kFinished || status == JobStatus::kCanceled ||
         status == JobStatus::kFailed;
}

}  // namespace wiesel::runtime
