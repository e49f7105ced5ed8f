#include "runtime/rest/rest_api.h"

#include <utility>

#include "common/ids.h"
#include "runtime/rest/cluster_messages.h"
#include "runtime/rest/job_messages.h"

namespace wiesel::runtime {

namespace {

constexpr int kAccepted = 202;
constexpr int kPermanentRedirect = 308;
constexpr int kBadRequest = 400;
constexpr int kNotFound = 404;
constexpr int kConflict = 409;
constexpr int kInternalError = 500;

constexpr char kHandlerException[] = "org.apache.flink.runtime.rest.handler.RestHandlerException: ";
constexpr char kJobNotFound[] =
    "org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (";

RestResponse badParameter(const std::string& kind, const std::string& name,
                          const std::string& value) {
  return errorResponse(
      kBadRequest,
      {std::string(kHandlerException) + "Bad request, could not parse parameters: Cannot resolve " +
       kind + " parameter (" + name + ") from value \"" + value + "\"."});
}

RestResponse unknownJob(const std::string& job_id) {
  return errorResponse(
      kNotFound, {"org.apache.flink.runtime.rest.NotFoundException: Job " + job_id + " not found"});
}

// Flink answers these two differently from the rest.
RestResponse unknownJobOfStatus(const std::string& job_id) {
  return errorResponse(kInternalError, {"Internal server error.",
                                        "<Exception on server side:\n" + std::string(kJobNotFound) +
                                            job_id + ")\nEnd of exception on server side>"});
}
RestResponse unknownJobOfResult(const std::string& job_id) {
  return errorResponse(kNotFound, {kHandlerException + std::string(kJobNotFound) + job_id + ")"});
}

/// The id in the form of ours, or nullopt.
std::optional<std::string> parseJobId(const std::string& text) {
  const std::optional<Id128> id = Id128::fromHex(text);
  if (!id.has_value()) return std::nullopt;
  return id->toHex();
}

}  // namespace

RestApi::RestApi(EventLoop& loop, ClusterView& cluster, RestApiSettings settings)
    : loop_(loop), cluster_(cluster), settings_(std::move(settings)) {
  const auto add_constant = [this](const std::string& path, std::string body) {
    router_.add("GET", path,
                [body = std::move(body)](const RestRequest&, const PathParameters&,
                                         const RestRespond& respond) {
                  respond({.status = 200, .body = body});
                });
  };
  add_constant("/config", configMessage(settings_.refresh_interval_ms, settings_.cancel_enabled));
  add_constant("/wiesel/rpc", rpcMessage(settings_.rpc_address));

  addOnLoop("/overview", [this](const RestRequest&) {
    return RestResponse{.status = 200, .body = overviewMessage(cluster_.counts(), cluster_.jobs())};
  });
  addOnLoop("/jobs", [this](const RestRequest&) {
    return RestResponse{.status = 200, .body = jobIdsMessage(cluster_.jobs())};
  });
  addOnLoop("/jobs/overview", [this](const RestRequest&) {
    return RestResponse{.status = 200, .body = jobsOverviewMessage(cluster_.jobs())};
  });
  addForJob(
      "/jobs/:jobid",
      [](const JobView& job) {
        return RestResponse{.status = 200, .body = jobDetailsMessage(job)};
      },
      unknownJob);
  addForJob(
      "/jobs/:jobid/status",
      [](const JobView& job) { return RestResponse{.status = 200, .body = jobStatusMessage(job)}; },
      unknownJobOfStatus);
  addForJob(
      "/jobs/:jobid/execution-result",
      [](const JobView& job) {
        return RestResponse{.status = 200, .body = executionResultMessage(job)};
      },
      unknownJobOfResult);

  router_.add("PATCH", "/jobs/:jobid",
              [this](const RestRequest& request, const PathParameters& parameters,
                     const RestRespond& respond) {
                const std::string& text = parameters.at("jobid");
                const std::optional<std::string> job_id = parseJobId(text);
                if (!job_id.has_value()) return respond(badParameter("path", "jobid", text));
                const std::string mode = request.queryValue("mode").value_or("cancel");
                loop_.post([this, id = *job_id, mode, respond] { respond(cancel(id, mode)); });
              });
}

void RestApi::addOnLoop(const std::string& path, OnLoop answer) {
  router_.add("GET", path,
              [this, answer = std::move(answer)](const RestRequest& request, const PathParameters&,
                                                 const RestRespond& respond) {
                loop_.post([answer, request, respond] { respond(answer(request)); });
              });
}

void RestApi::addForJob(const std::string& path, OnJob answer,
                        std::function<RestResponse(const std::string& job_id)> unknown) {
  router_.add(
      "GET", path,
      [this, answer = std::move(answer), unknown = std::move(unknown)](
          const RestRequest&, const PathParameters& parameters, const RestRespond& respond) {
        const std::string& text = parameters.at("jobid");
        const std::optional<std::string> job_id = parseJobId(text);
        if (!job_id.has_value()) return respond(badParameter("path", "jobid", text));
        loop_.post([this, answer, unknown, id = *job_id, respond] {
          const std::optional<JobView> job = cluster_.job(id);
          respond(job.has_value() ? answer(*job) : unknown(id));
        });
      });
}

RestResponse RestApi::cancel(const std::string& job_id, const std::string& mode) {
  if (mode == "stop") {
    return errorResponse(
        kPermanentRedirect,
        {std::string(kHandlerException) +
         "The termination mode \"stop\" has been removed. For an ungraceful shutdown, please use "
         "\"cancel\" instead. For a graceful shutdown, please use \"jobs/:jobId/stop\" instead."});
  }
  if (mode != "cancel") return badParameter("query", "mode", mode);
  const absl::Status status = cluster_.cancel(job_id);
  if (status.ok()) return {.status = kAccepted, .body = "{}"};
  if (absl::IsNotFound(status)) {
    return errorResponse(kNotFound,
                         {std::string(kHandlerException) +
                          "Job could not be found.\nCaused by: " + kJobNotFound + job_id + ")"});
  }
  return errorResponse(kConflict, {kHandlerException + std::string(status.message())});
}

}  // namespace wiesel::runtime
