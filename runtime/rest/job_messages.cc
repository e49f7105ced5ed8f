#include "runtime/rest/job_messages.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/xxh.h"
#include "runtime/rest/java_throwable.h"
#include "runtime/rest/json_text.h"

namespace wiesel::runtime {

namespace {

using Json = nlohmann::json;

constexpr char kJobException[] = "org.apache.flink.runtime.JobException";
constexpr int64_t kNotYet = -1;

std::string statusName(JobStatus status) { return std::string(nameOf(status)); }

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Subtasks by state; Flink has one state more.
Json countsByState(const StateCounts& counts) {
  Json by_state = {{"RECONCILING", 0}};
  for (int state = 0; state < kNumExecutionStates; ++state) {
    by_state[nameOf(static_cast<ExecutionState>(state))] = counts[state];
  }
  return by_state;
}

Json taskTotals(const StateCounts& counts) {
  Json totals = {{"reconciling", 0}};
  int32_t total = 0;
  for (int state = 0; state < kNumExecutionStates; ++state) {
    totals[lowerCase(nameOf(static_cast<ExecutionState>(state)))] = counts[state];
    total += counts[state];
  }
  totals["total"] = total;
  return totals;
}

Json ioMetrics() {
  Json metrics = {{"accumulated-backpressured-time", 0},
                  {"accumulated-idle-time", 0},
                  {"accumulated-busy-time", "NaN"}};
  for (const char* name : {"read-bytes", "write-bytes", "read-records", "write-records"}) {
    metrics[name] = 0;
    metrics[std::string(name) + "-complete"] = false;
  }
  return metrics;
}

int64_t durationMs(int64_t start_ms, int64_t end_ms, int64_t now_ms) {
  if (start_ms < 0) return kNotYet;
  return (end_ms < 0 ? now_ms : end_ms) - start_ms;
}

Json vertexOf(const VertexView& vertex, int64_t now_ms) {
  const int64_t start_ms = vertex.startMs();
  const int64_t end_ms = vertex.endMs();
  return {{"id", vertex.id},
          {"slotSharingGroupId", contentHash(vertex.slot_sharing_group)},
          {"name", vertex.name},
          {"maxParallelism", vertex.max_parallelism},
          {"parallelism", vertex.parallelism},
          {"status", nameOf(vertex.state)},
          {"start-time", start_ms},
          {"end-time", end_ms},
          {"duration", durationMs(start_ms, end_ms, now_ms)},
          {"tasks", countsByState(vertex.counts)},
          {"metrics", ioMetrics()}};
}

std::string escapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// The chain as a tree, one operator below the other.
std::string describe(const proto::JobVertex& vertex) {
  std::string description;
  for (int i = 0; i < vertex.operators_size(); ++i) {
    if (i > 0) description += std::string(3 * (i - 1), ' ') + "+- ";
    description += escapeHtml(vertex.operators(i).name()) + "<br/>";
  }
  return description;
}

Json planOf(const JobView& job) {
  Json nodes = Json::array();
  if (job.graph != nullptr) {
    for (const proto::JobVertex& vertex : job.graph->vertices()) {
      Json node = {{"id", vertex.id()},
                   {"parallelism", vertex.parallelism()},
                   {"operator", ""},
                   {"operator_strategy", ""},
                   {"description", describe(vertex)},
                   {"optimizer_properties", Json::object()}};
      for (int i = 0; i < vertex.inputs_size(); ++i) {
        node["inputs"].push_back({{"num", i},
                                  {"id", vertex.inputs(i).source_vertex()},
                                  {"ship_strategy", vertex.inputs(i).ship_strategy()},
                                  {"exchange", "pipelined_bounded"}});
      }
      nodes.push_back(std::move(node));
    }
  }
  return {{"jid", job.id}, {"name", job.name}, {"type", "STREAMING"}, {"nodes", std::move(nodes)}};
}

std::string applicationStatus(JobStatus status) {
  switch (status) {
    case JobStatus::kFinished:
      return "SUCCEEDED";
    case JobStatus::kFailed:
      return "FAILED";
    case JobStatus::kCanceled:
      return "CANCELED";
    default:
      return "UNKNOWN";
  }
}

/// What stands before the first colon when that can be a Java class.
std::string exceptionClass(std::string_view text) {
  const std::string_view head = text.substr(0, text.find_first_of(":\n"));
  const bool is_class = head.find('.') != std::string_view::npos &&
                        head.find_first_of(" \t'\"(") == std::string_view::npos;
  return is_class ? std::string(head) : kJobException;
}

Json failureCause(const JobView& job) {
  const std::string stack =
      job.failure->flink_text.empty() ? job.failure->line : job.failure->flink_text;
  const std::string name = exceptionClass(stack);
  return {{"class", name},
          {"stack-trace", stack},
          {"serialized-throwable", serializedThrowable(name, job.failure->line, stack)}};
}

}  // namespace

std::string jobIdsMessage(const std::vector<JobView>& jobs) {
  Json list = Json::array();
  for (const JobView& job : jobs) {
    list.push_back({{"id", job.id}, {"status", statusName(job.status)}});
  }
  return toJsonText({{"jobs", std::move(list)}});
}

std::string jobsOverviewMessage(const std::vector<JobView>& jobs) {
  Json list = Json::array();
  for (const JobView& job : jobs) {
    list.push_back({{"jid", job.id},
                    {"name", job.name},
                    {"start-time", job.start_ms},
                    {"end-time", job.end_ms},
                    {"duration", job.durationMs()},
                    {"state", statusName(job.status)},
                    {"last-modification", job.last_modified_ms},
                    {"tasks", taskTotals(job.task_counts)}});
  }
  return toJsonText({{"jobs", std::move(list)}});
}

std::string jobDetailsMessage(const JobView& job) {
  Json timestamps = Json::object();
  for (int status = 0; status < kNumJobStatuses; ++status) {
    timestamps[statusName(static_cast<JobStatus>(status))] = job.status_entered_ms[status];
  }
  StateCounts vertex_counts{};
  Json vertices = Json::array();
  for (const VertexView& vertex : job.vertices) {
    ++vertex_counts[vertex.state];
    vertices.push_back(vertexOf(vertex, job.now_ms));
  }
  return toJsonText(
      {{"jid", job.id},
       {"name", job.name},
       {"waiting", job.waiting},
       {"restarts", job.restarts},
       {"restart-cause", job.exceptions.empty() ? "" : job.exceptions.front().root.line},
       {"isStoppable", false},
       {"state", statusName(job.status)},
       {"job-type", "STREAMING"},
       {"start-time", job.start_ms},
       {"end-time", job.end_ms},
       {"duration", job.durationMs()},
       {"maxParallelism", -1},
       {"now", job.now_ms},
       {"timestamps", std::move(timestamps)},
       {"vertices", std::move(vertices)},
       {"status-counts", countsByState(vertex_counts)},
       {"plan", planOf(job)}});
}

std::string jobStatusMessage(const JobView& job) {
  return toJsonText({{"status", statusName(job.status)}});
}

std::string executionResultMessage(const JobView& job) {
  if (!isTerminal(job.status)) return toJsonText({{"status", {{"id", "IN_PROGRESS"}}}});
  Json result = {{"id", job.id},
                 {"application-status", applicationStatus(job.status)},
                 {"accumulator-results", Json::object()},
                 {"net-runtime", job.durationMs()}};
  if (job.status == JobStatus::kFailed && job.failure.has_value()) {
    result["failure-cause"] = failureCause(job);
  }
  return toJsonText(
      {{"status", {{"id", "COMPLETED"}}}, {"job-execution-result", std::move(result)}});
}

}  // namespace wiesel::runtime
