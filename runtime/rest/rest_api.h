#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/event_loop.h"
#include "runtime/rest/cluster_view.h"
#include "runtime/rest/rest_message.h"
#include "runtime/rest/rest_router.h"

namespace wiesel::runtime {

struct RestApiSettings {
  std::string rpc_address;  // host:port of the gRPC server; clients ask for it at /wiesel/rpc.
  int64_t refresh_interval_ms = 3000;  // web.refresh-interval
  bool cancel_enabled = true;          // web.cancel.enable
};

/// Flink 1.20's REST API, as far as it is built: /config, /overview, /jobs, /jobs/overview,
/// /jobs/:jobid, .../status, .../execution-result, PATCH /jobs/:jobid?mode=cancel; and ours,
/// /wiesel/rpc.
///
/// Borrows: loop and cluster, which is asked on the loop.
/// Threads: thread-safe.
/// Flink:   WebMonitorEndpoint, DispatcherRestEndpoint (1.20).
class RestApi {
 public:
  RestApi(EventLoop& loop, ClusterView& cluster, RestApiSettings settings);

  void handle(const RestRequest& request, RestRespond respond) const {
    router_.handle(request, std::move(respond));
  }

 private:
  using OnLoop = std::function<RestResponse(const RestRequest&)>;
  using OnJob = std::function<RestResponse(const JobView&)>;

  void addOnLoop(const std::string& path, OnLoop answer);
  /// `unknown` answers when there is no job of that id.
  void addForJob(const std::string& path, OnJob answer,
                 std::function<RestResponse(const std::string& job_id)> unknown);
  RestResponse cancel(const std::string& job_id, const std::string& mode);

  EventLoop& loop_;
  ClusterView& cluster_;
  const RestApiSettings settings_;
  RestRouter router_;
};

}  // namespace wiesel::runtime
