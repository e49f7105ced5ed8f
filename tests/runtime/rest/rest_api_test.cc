#include "runtime/rest/rest_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/thread_event_loop.h"
#include "tests/support/awaited_queue.h"

namespace wiesel::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::string kJob(32, 'a');
const std::string kUnknown(32, '0');
const std::string kVertex(32, 'b');

JobView makeJob(JobStatus status) {
  JobView job;
  job.id = kJob;
  job.name = "left join";
  job.status = status;
  job.now_ms = 2'000;
  job.start_ms = 1'000;
  job.end_ms = isTerminal(status) ? 1'500 : -1;
  job.last_modified_ms = 1'200;
  job.status_entered_ms[static_cast<int>(JobStatus::kInitializing)] = 1'000;
  VertexView vertex;
  vertex.id = kVertex;
  vertex.name = "Source: names -> map";
  vertex.parallelism = 2;
  vertex.max_parallelism = 128;
  vertex.state = proto::RUNNING;
  vertex.counts[proto::RUNNING] = 2;
  job.vertices.push_back(vertex);
  job.task_counts[proto::RUNNING] = 2;
  auto graph = std::make_shared<proto::JobGraph>();
  proto::JobVertex& source = *graph->add_vertices();
  source.set_id(kVertex);
  source.set_parallelism(2);
  source.add_operators()->set_name("Source: names");
  source.add_operators()->set_name("a <b>");
  source.add_operators()->set_name("c");
  job.graph = graph;
  return job;
}

/// The API over a cluster with at most one job.
class RestApiTest : public ::testing::Test, private ClusterView {
 protected:
  RestApiTest() : api_(loop_, *this, {.rpc_address = "127.0.0.1:6123"}) {}

  RestResponse call(const std::string& method, const std::string& target) {
    testing::AwaitedQueue<RestResponse> answers;
    api_.handle(parseTarget(method, target),
                [&](RestResponse response) { answers.push(std::move(response)); });
    return answers.pop().value_or(RestResponse{.status = 0, .body = "{}"});
  }
  Json get(const std::string& target) {
    const RestResponse response = call("GET", target);
    EXPECT_EQ(response.status, 200) << response.body;
    return Json::parse(response.body);
  }
  /// The first error's text.
  static std::string errorOf(const RestResponse& response, size_t index = 0) {
    return Json::parse(response.body)["errors"][index];
  }
  static std::set<std::string> keysOf(const Json& object) {
    std::set<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.insert(key);
    return keys;
  }

  std::optional<JobView> job_;
  absl::Status cancel_status_;
  std::vector<std::string> cancelled_;

 private:
  ClusterCounts counts() const override {
    return {.task_managers = 2, .slots = 4, .free_slots = 3};
  }
  std::vector<JobView> jobs() const override {
    return job_.has_value() ? std::vector<JobView>{*job_} : std::vector<JobView>();
  }
  std::optional<JobView> job(const std::string& job_id) const override {
    return job_.has_value() && job_->id == job_id ? job_ : std::nullopt;
  }
  absl::Status cancel(const std::string& job_id) override {
    cancelled_.push_back(job_id);
    return cancel_status_;
  }

  ThreadEventLoop loop_{"rest"};
  RestApi api_;
};

TEST_F(RestApiTest, ShowsTheConfigurationOfTheDashboard) {
  const Json config = get("/config");
  EXPECT_EQ(keysOf(config),
            (std::set<std::string>{"refresh-interval", "timezone-name", "timezone-offset",
                                   "flink-version", "flink-revision", "features"}));
  EXPECT_EQ(config["refresh-interval"], 3000);
  EXPECT_EQ(config["features"], (Json{{"web-submit", false},
                                      {"web-cancel", true},
                                      {"web-rescale", false},
                                      {"web-history", false}}));
}

TEST_F(RestApiTest, TellsClientsWhereToSubmit) {
  EXPECT_EQ(get("/wiesel/rpc")["rpc"], "127.0.0.1:6123");
}

TEST_F(RestApiTest, CountsTheCluster) {
  job_ = makeJob(JobStatus::kRestarting);
  const Json overview = get("/v1/overview");
  EXPECT_EQ(overview["taskmanagers"], 2);
  EXPECT_EQ(overview["slots-total"], 4);
  EXPECT_EQ(overview["slots-available"], 3);
  EXPECT_EQ(overview["jobs-running"], 1);
  EXPECT_EQ(overview["jobs-finished"], 0);
  EXPECT_EQ(overview["jobs-cancelled"], 0);
  EXPECT_EQ(overview["jobs-failed"], 0);
}

TEST_F(RestApiTest, ListsJobs) {
  EXPECT_EQ(get("/jobs"), (Json{{"jobs", Json::array()}}));
  job_ = makeJob(JobStatus::kRunning);
  EXPECT_EQ(get("/jobs"), (Json{{"jobs", {{{"id", kJob}, {"status", "RUNNING"}}}}}));
  const Json job = get("/jobs/overview")["jobs"][0];
  EXPECT_EQ(job["jid"], kJob);
  EXPECT_EQ(job["name"], "left join");
  EXPECT_EQ(job["start-time"], 1'000);
  EXPECT_EQ(job["end-time"], -1);
  EXPECT_EQ(job["duration"], 1'000);
  EXPECT_EQ(job["state"], "RUNNING");
  EXPECT_EQ(job["last-modification"], 1'200);
  EXPECT_EQ(
      keysOf(job["tasks"]),
      (std::set<std::string>{"running", "canceling", "canceled", "total", "created", "scheduled",
                             "deploying", "reconciling", "finished", "initializing", "failed"}));
  EXPECT_EQ(job["tasks"]["running"], 2);
  EXPECT_EQ(job["tasks"]["total"], 2);
}

TEST_F(RestApiTest, ShowsAJobWithItsPlan) {
  job_ = makeJob(JobStatus::kRunning);
  const Json job = get("/jobs/" + kJob);
  EXPECT_EQ(keysOf(job),
            (std::set<std::string>{"jid", "name", "waiting", "restarts", "restart-cause",
                                   "isStoppable", "state", "job-type", "start-time", "end-time",
                                   "duration", "maxParallelism", "now", "timestamps", "vertices",
                                   "status-counts", "plan"}));
  EXPECT_EQ(job["timestamps"].size(), 11);
  EXPECT_EQ(job["timestamps"]["INITIALIZING"], 1'000);
  EXPECT_EQ(job["timestamps"]["CANCELLING"], 0);
  EXPECT_EQ(job["status-counts"].size(), 10);
  EXPECT_EQ(job["status-counts"]["RUNNING"], 1);
  const Json& vertex = job["vertices"][0];
  EXPECT_EQ(vertex["slotSharingGroupId"].get<std::string>().size(), 32);
  EXPECT_EQ(vertex["tasks"]["RUNNING"], 2);
  EXPECT_EQ(vertex["metrics"]["accumulated-busy-time"], "NaN");
  EXPECT_EQ(job["plan"]["nodes"][0]["id"], kVertex);
  EXPECT_EQ(job["plan"]["nodes"][0]["description"],
            "Source: names<br/>+- a &lt;b&gt;<br/>   +- c<br/>");
}

TEST_F(RestApiTest, TellsTheStatus) {
  job_ = makeJob(JobStatus::kCancelling);
  EXPECT_EQ(get("/jobs/" + kJob + "/status"), (Json{{"status", "CANCELLING"}}));
}

TEST_F(RestApiTest, TellsTheResultWhenThereIsOne) {
  const std::string target = "/jobs/" + kJob + "/execution-result";
  job_ = makeJob(JobStatus::kRunning);
  EXPECT_EQ(get(target), (Json{{"status", {{"id", "IN_PROGRESS"}}}}));

  job_ = makeJob(JobStatus::kFinished);
  EXPECT_EQ(get(target)["status"]["id"], "COMPLETED");
  EXPECT_EQ(get(target)["job-execution-result"], (Json{{"id", kJob},
                                                       {"application-status", "SUCCEEDED"},
                                                       {"accumulator-results", Json::object()},
                                                       {"net-runtime", 500}}));
}

TEST_F(RestApiTest, TellsTheCauseOfAFailureInFlinksForm) {
  job_ = makeJob(JobStatus::kFailed);
  job_->failure.emplace();
  job_->failure->line = "boom (operator 'map', subtask 1/2)";
  job_->failure->flink_text =
      "org.apache.flink.runtime.JobException: Recovery is suppressed by "
      "NoRestartBackoffTimeStrategy\nCaused by: boom";
  const Json result = get("/jobs/" + kJob + "/execution-result")["job-execution-result"];
  EXPECT_EQ(result["application-status"], "FAILED");
  EXPECT_EQ(result["failure-cause"]["class"], "org.apache.flink.runtime.JobException");
  EXPECT_EQ(result["failure-cause"]["stack-trace"], job_->failure->flink_text);
  EXPECT_THAT(result["failure-cause"]["serialized-throwable"].get<std::string>(),
              ::testing::StartsWith("rO0ABXNy"));
}

TEST_F(RestApiTest, CancelsAJob) {
  const RestResponse response = call("PATCH", "/v1/jobs/" + kJob + "?mode=cancel");
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(response.body, "{}");
  EXPECT_THAT(cancelled_, ElementsAre(kJob));
  EXPECT_EQ(call("PATCH", "/jobs/" + kJob).status, 202);
}

TEST_F(RestApiTest, RefusesACancellationAsFlinkDoes) {
  cancel_status_ = absl::NotFoundError("Could not find Flink job (x)");
  const RestResponse unknown = call("PATCH", "/jobs/" + kUnknown + "?mode=cancel");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(errorOf(unknown), HasSubstr("Job could not be found."));
  EXPECT_THAT(errorOf(unknown), HasSubstr("Could not find Flink job (" + kUnknown + ")"));

  cancel_status_ = absl::FailedPreconditionError(
      "Job cancellation failed because the job has already reached another terminal state "
      "(FINISHED).");
  const RestResponse over = call("PATCH", "/jobs/" + kJob + "?mode=cancel");
  EXPECT_EQ(over.status, 409);
  EXPECT_THAT(errorOf(over), HasSubstr("another terminal state (FINISHED)."));

  const RestResponse stop = call("PATCH", "/jobs/" + kJob + "?mode=stop");
  EXPECT_EQ(stop.status, 308);
  EXPECT_THAT(errorOf(stop), HasSubstr("The termination mode \"stop\" has been removed."));

  const RestResponse bad = call("PATCH", "/jobs/" + kJob + "?mode=explode");
  EXPECT_EQ(bad.status, 400);
  EXPECT_THAT(errorOf(bad), HasSubstr("Cannot resolve query parameter (mode) from value"));
}

TEST_F(RestApiTest, SaysThatAJobIsUnknownAsFlinkDoes) {
  const RestResponse details = call("GET", "/jobs/" + kUnknown);
  EXPECT_EQ(details.status, 404);
  EXPECT_THAT(errorOf(details), HasSubstr("Job " + kUnknown + " not found"));

  const RestResponse status = call("GET", "/jobs/" + kUnknown + "/status");
  EXPECT_EQ(status.status, 500);
  EXPECT_EQ(errorOf(status), "Internal server error.");
  EXPECT_THAT(errorOf(status, 1), HasSubstr("Could not find Flink job (" + kUnknown + ")"));

  const RestResponse result = call("GET", "/jobs/" + kUnknown + "/execution-result");
  EXPECT_EQ(result.status, 404);
  EXPECT_THAT(errorOf(result), HasSubstr("Could not find Flink job (" + kUnknown + ")"));
}

TEST_F(RestApiTest, SaysThatARequestIsWrongAsFlinkDoes) {
  const RestResponse id = call("GET", "/jobs/nothex");
  EXPECT_EQ(id.status, 400);
  EXPECT_THAT(errorOf(id), HasSubstr("Bad request, could not parse parameters: Cannot resolve path "
                                     "parameter (jobid) from value \"nothex\"."));
  EXPECT_EQ(errorOf(call("GET", "/nosuch/endpoint")),
            "Unable to load requested file /nosuch/endpoint.");
  EXPECT_EQ(call("GET", "/nosuch/endpoint").status, 404);
  EXPECT_EQ(call("GET", "/v2/overview").status, 404);
  EXPECT_EQ(errorOf(call("POST", "/overview")), "Not found: /overview");
  EXPECT_EQ(call("POST", "/overview").status, 404);
}

}  // namespace
}  // namespace wiesel::runtime
