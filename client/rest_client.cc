#include "client/rest_client.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/http_client.h"
#include "common/status_macros.h"

namespace wiesel::client {

namespace {

using Json = nlohmann::json;

constexpr int64_t kTimeoutMs = 30'000;
constexpr int kOk = 200;
constexpr int kAccepted = 202;

absl::StatusOr<Json> parse(const std::string& text) {
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return absl::InvalidArgumentError("the answer is no JSON");
  return value;
}

/// The texts of an error answer, one a line.
std::string errorsIn(const HttpResponse& response) {
  std::string errors;
  const absl::StatusOr<Json> body = parse(response.body);
  if (body.ok() && body->is_object() && body->contains("errors")) {
    for (const Json& error : (*body)["errors"]) {
      if (error.is_string()) errors += (errors.empty() ? "" : "\n") + error.get<std::string>();
    }
  }
  return errors.empty() ? absl::StrFormat("HTTP status %d", response.status) : errors;
}

absl::StatusCode codeOf(int http_status) {
  switch (http_status) {
    case 404:
      return absl::StatusCode::kNotFound;
    case 400:
      return absl::StatusCode::kInvalidArgument;
    default:
      return absl::StatusCode::kFailedPrecondition;
  }
}

}  // namespace

RestClient::RestClient(std::string address) : address_(std::move(address)) {}

absl::StatusOr<std::string> RestClient::call(const std::string& method, const std::string& target,
                                             int expected_status) const {
  absl::StatusOr<HttpResponse> response = sendHttpRequest(address_, method, target, kTimeoutMs);
  if (absl::IsUnavailable(response.status())) {
    return absl::UnavailableError(absl::StrFormat(
        "%s (the JobManager's REST address: -m HOST:PORT, or rest.address and rest.port)",
        std::string(response.status().message())));
  }
  WIESEL_RETURN_IF_ERROR(response.status());
  if (response->status != expected_status) {
    return absl::Status(codeOf(response->status), errorsIn(*response));
  }
  return std::move(response->body);
}

absl::StatusOr<std::string> RestClient::rpcAddress() const {
  const absl::StatusOr<std::string> body = call("GET", "/wiesel/rpc", kOk);
  if (absl::IsUnavailable(body.status()) || absl::IsDeadlineExceeded(body.status())) {
    return body.status();
  }
  const absl::StatusOr<Json> answer = body.ok() ? parse(*body) : body.status();
  if (!answer.ok() || !answer->is_object() || !answer->contains("rpc")) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s is not the REST address of a Wiesel JobManager", address_));
  }
  return answer->value("rpc", "");
}

absl::StatusOr<std::vector<JobSummary>> RestClient::jobs() const {
  WIESEL_ASSIGN_OR_RETURN(const std::string body, call("GET", "/v1/jobs/overview", kOk));
  WIESEL_ASSIGN_OR_RETURN(const Json answer, parse(body));
  std::vector<JobSummary> jobs;
  if (!answer.is_object() || !answer.contains("jobs")) return jobs;
  for (const Json& job : answer["jobs"]) {
    jobs.push_back({.id = job.value("jid", ""),
                    .name = job.value("name", ""),
                    .status = job.value("state", ""),
                    .start_ms = job.value("start-time", int64_t{0})});
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const JobSummary& a, const JobSummary& b) {
    return a.start_ms < b.start_ms;
  });
  return jobs;
}

absl::StatusOr<JobTrouble> RestClient::troubleOf(const std::string& job_id) const {
  WIESEL_ASSIGN_OR_RETURN(const std::string body, call("GET", "/v1/jobs/" + job_id, kOk));
  WIESEL_ASSIGN_OR_RETURN(const Json job, parse(body));
  if (!job.is_object()) return JobTrouble{};
  return JobTrouble{.waiting = job.value("waiting", ""),
                    .restarts = job.value("restarts", int64_t{0}),
                    .restart_cause = job.value("restart-cause", "")};
}

absl::Status RestClient::cancel(const std::string& job_id) const {
  return call("PATCH", "/v1/jobs/" + job_id + "?mode=cancel", kAccepted).status();
}

}  // namespace wiesel::client
