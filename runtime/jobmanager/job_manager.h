#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/clock.h"
#include "common/config/configuration.h"
#include "common/event_loop.h"
#include "common/executor.h"
#include "common/filesystem/file_system.h"
#include "common/random.h"
#include "runtime/jobcode/blob_store.h"
#include "runtime/jobmanager/dispatcher.h"
#include "runtime/jobmanager/job_manager_settings.h"
#include "runtime/resource/resource_manager.h"
#include "runtime/rest/cluster_view.h"
#include "runtime/rest/rest_api.h"
#include "runtime/rest/rest_server.h"
#include "runtime/rpc/client_request_handler.h"
#include "runtime/rpc/grpc_link_server.h"

namespace wiesel::runtime {

/// A JobManager with its two servers: connects Dispatcher and ResourceManager to TaskManagers,
/// workers and clients over gRPC, and to people over REST.
///
/// Borrows: everything in `Parts`.
/// Threads: made and destroyed while the loop does not run it: before anything is posted, and after
///          the loop has stopped. The servers begin to serve in start().
/// Flink:   ClusterEntrypoint, DispatcherResourceManagerComponent (1.20).
class JobManager final : private LinkAcceptor, private ClientRequestHandler, private ClusterView {
 public:
  struct Parts {
    EventLoop& loop;
    const Clock& clock;
    RandomSource& random;
    FileSystem& files;
    Executor& checkpoint_io;
    Executor& disk_work;  // Takes in binaries.
    BlobStore& blobs;
  };

  /// Throws ConfigurationError for a malformed value.
  JobManager(const Parts& parts, const Configuration& configuration);
  JobManager(const JobManager&) = delete;
  JobManager& operator=(const JobManager&) = delete;
  ~JobManager() override;

  /// Listens. Errors name port and setting.
  absl::Status start();

  /// host:port as clients and TaskManagers are to use it.
  const std::string& rpcAddress() const { return rpc_address_; }
  const std::string& restAddress() const { return rest_address_; }

  /// No request is served after it. To be called before the loop stops. Idempotent.
  void stopServers();

 private:
  // LinkAcceptor, on the loop.
  void onTaskManagerConnected(std::unique_ptr<MasterToTaskManagerLink> link) override;
  void onWorkerConnected(std::unique_ptr<MasterToWorkerLink> link) override;
  // ClientRequestHandler, on gRPC's threads.
  void submitJob(proto::SubmitJobRequest request, Done<std::string> done) override;
  void waitForJob(const std::string& job_id, Done<proto::JobResult> done) override;
  void cancelJob(const std::string& job_id, std::function<void(absl::Status)> done) override;
  // ClusterView, on the loop.
  ClusterCounts counts() const override;
  std::vector<JobView> jobs() const override { return dispatcher_.jobs(); }
  std::optional<JobView> job(const std::string& id) const override { return dispatcher_.job(id); }
  absl::Status cancel(const std::string& job_id) override { return dispatcher_.cancel(job_id); }

  JobManager(const Parts& parts, const Configuration& configuration,
             const JobManagerSettings& settings);

  const Parts parts_;
  const Configuration configuration_;
  ResourceManager resources_;
  Dispatcher dispatcher_;
  std::string rpc_address_;
  std::string rest_address_;
  std::unique_ptr<RestApi> rest_api_;
  std::unique_ptr<GrpcLinkServer> rpc_server_;
  std::unique_ptr<RestServer> rest_server_;
};

}  // namespace wiesel::runtime
