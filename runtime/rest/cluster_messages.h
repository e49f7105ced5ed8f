#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/rest/cluster_view.h"

namespace wiesel::runtime {

// JSON answers about the cluster, in Flink 1.20's shapes.

/// GET /config: what every page of the dashboard asks first.
std::string configMessage(int64_t refresh_interval_ms, bool cancel_enabled);
/// GET /overview
std::string overviewMessage(const ClusterCounts& counts, const std::vector<JobView>& jobs);
/// GET /wiesel/rpc: {"rpc": "host:port", "version": "..."}
std::string rpcMessage(const std::string& rpc_address);

}  // namespace wiesel::runtime
