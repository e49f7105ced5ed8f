#include "runtime/rest/cluster_messages.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "common/version.h"
#include "runtime/rest/json_text.h"

namespace wiesel::runtime {

namespace {

using Json = nlohmann::json;

// Whose API this is. Clients compare it.
constexpr char kFlinkVersion[] = "1.20.5";

std::string revision() { return "wiesel " + std::string(kVersion); }

}  // namespace

std::string configMessage(int64_t refresh_interval_ms, bool cancel_enabled) {
  const time_t now = std::time(nullptr);
  tm local{};
  ::localtime_r(&now, &local);
  return toJsonText(Json{{"refresh-interval", refresh_interval_ms},
                         {"timezone-name", std::string(local.tm_zone)},
                         {"timezone-offset", local.tm_gmtoff * 1000},
                         {"flink-version", kFlinkVersion},
                         {"flink-revision", revision()},
                         {"features",
                          {{"web-submit", false},
                           {"web-cancel", cancel_enabled},
                           {"web-rescale", false},
                           {"web-history", false}}}});
}

std::string overviewMessage(const ClusterCounts& counts, const std::vector<JobView>& jobs) {
  int running = 0;
  int finished = 0;
  int cancelled = 0;
  int failed = 0;
  for (const JobView& job : jobs) {
    switch (job.status) {
      case JobStatus::kFinished:
        ++finished;
        break;
      case JobStatus::kCanceled:
        ++cancelled;
        break;
      case JobStatus::kFailed:
        ++failed;
        break;
      default:
        ++running;
    }
  }
  return toJsonText(Json{{"taskmanagers", counts.task_managers},
                         {"slots-total", counts.slots},
                         {"slots-available", counts.free_slots},
                         {"jobs-running", running},
                         {"jobs-finished", finished},
                         {"jobs-cancelled", cancelled},
                         {"jobs-failed", failed},
                         {"flink-version", kFlinkVersion},
                         {"flink-commit", revision()}});
}

std::string rpcMessage(const std::string& rpc_address) {
  return toJsonText(Json{{"rpc", rpc_address}, {"version", std::string(kVersion)}});
}

}  // namespace wiesel::runtime
