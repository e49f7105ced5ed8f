#include "runtime/jobmanager/job_manager.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "common/config/cluster_options.h"
#include "common/config/rest_options.h"
#include "common/status_macros.h"
#include "common/version.h"

namespace wiesel::runtime {

namespace {

constexpr char kLoopback[] = "127.0.0.1";

JobManagerSettings settingsFrom(const Configuration& configuration) {
  JobManagerSettings settings = jobManagerSettingsFrom(configuration);
  settings.resources.version = std::string(kVersion);
  return settings;
}

proto::JobResult resultOf(const JobView& job) {
  proto::JobResult result;
  result.set_job_id(job.id);
  result.set_state(std::string(nameOf(job.status)));
  result.set_runtime_ms(job.durationMs());
  if (job.failure.has_value()) {
    result.set_failure(job.failure->line);
    result.set_failure_detail(job.failure->flink_text);
  }
  return result;
}

}  // namespace

JobManager::JobManager(const Parts& parts, const Configuration& configuration)
    : JobManager(parts, configuration, settingsFrom(configuration)) {}

JobManager::JobManager(const Parts& parts, const Configuration& configuration,
                       const JobManagerSettings& settings)
    : parts_(parts),
      configuration_(configuration),
      resources_(parts.loop, parts.clock, settings.resources),
      dispatcher_({.loop = parts.loop,
                   .clock = parts.clock,
                   .io = parts.checkpoint_io,
                   .random = parts.random,
                   .resources = resources_,
                   .storage_factory = checkpointStorageIn(parts.files)},
                  settings.dispatcher) {}

JobManager::~JobManager() { stopServers(); }

absl::Status JobManager::start() {
  const std::string address = configuration_.get(kJobManagerAddress).value_or(kLoopback);
  const ListenAddress listen{
      .host = configuration_.get(kJobManagerBindHost).value_or(address),
      .port = configuration_.get(kJobManagerBindPort).value_or(configuration_.get(kJobManagerPort)),
      .port_setting = std::string(kJobManagerPort.key)};
  WIESEL_ASSIGN_OR_RETURN(rpc_server_,
                          GrpcLinkServer::start(listen, {.loop = parts_.loop,
                                                         .acceptor = *this,
                                                         .clients = *this,
                                                         .blobs = parts_.blobs,
                                                         .disk_work = parts_.disk_work}));
  rpc_address_ = absl::StrFormat("%s:%d", address, rpc_server_->port());

  rest_api_ = std::make_unique<RestApi>(
      parts_.loop, static_cast<ClusterView&>(*this),
      RestApiSettings{.rpc_address = rpc_address_,
                      .refresh_interval_ms = configuration_.get(kWebRefreshInterval).count(),
                      .cancel_enabled = configuration_.get(kWebCancelEnable)});
  const std::string rest_host = configuration_.get(kRestAddress).value_or(kLoopback);
  const RestServerSettings rest{.host = configuration_.get(kRestBindAddress).value_or(rest_host),
                                .ports = configuration_.get(kRestBindPort).ports,
                                .port_setting = std::string(kRestPort.key),
                                .allow_origin = configuration_.get(kWebAllowOrigin)};
  WIESEL_ASSIGN_OR_RETURN(rest_server_, RestServer::start(rest, [this](const RestRequest& request,
                                                                       RestRespond respond) {
                            rest_api_->handle(request, std::move(respond));
                          }));
  rest_address_ = absl::StrFormat("%s:%d", rest_host, rest_server_->port());
  return absl::OkStatus();
}

void JobManager::stopServers() {
  if (rest_server_ != nullptr) rest_server_->shutdown();
  if (rpc_server_ != nullptr) rpc_server_->shutdown();
}

void JobManager::onTaskManagerConnected(std::unique_ptr<MasterToTaskManagerLink> link) {
  dispatcher_.acceptTaskManager(std::move(link));
}

void JobManager::onWorkerConnected(std::unique_ptr<MasterToWorkerLink> link) {
  dispatcher_.acceptWorker(std::move(link));
}

void JobManager::submitJob(proto::SubmitJobRequest request, Done<std::string> done) {
  const absl::StatusOr<std::string> binary = parts_.blobs.pathOf(request.binary_hash());
  if (!binary.ok()) return done(binary.status());
  parts_.loop.post(
      [this, request = std::move(request), binary = *binary, done = std::move(done)]() mutable {
        JobSubmission submission;
        submission.graph = std::move(*request.mutable_graph());
        submission.binary_hash = request.binary_hash();
        submission.binary_path = binary;
        submission.arguments.assign(request.arguments().begin(), request.arguments().end());
        submission.environment.insert(request.environment().begin(), request.environment().end());
        dispatcher_.submit(std::move(submission), std::move(done));
      });
}

void JobManager::waitForJob(const std::string& job_id, Done<proto::JobResult> done) {
  parts_.loop.post([this, job_id, done = std::move(done)] {
    dispatcher_.waitFor(job_id, [done](const absl::StatusOr<JobView>& job) {
      job.ok() ? done(resultOf(*job)) : done(job.status());
    });
  });
}

void JobManager::cancelJob(const std::string& job_id, std::function<void(absl::Status)> done) {
  parts_.loop.post([this, job_id, done = std::move(done)] { done(dispatcher_.cancel(job_id)); });
}

ClusterCounts JobManager::counts() const {
  return {.task_managers = static_cast<int32_t>(resources_.taskManagers().size()),
          .slots = resources_.totalSlots(),
          .free_slots = resources_.freeSlots()};
}

}  // namespace wiesel::runtime
