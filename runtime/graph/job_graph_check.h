#pragma once

#include "absl/status/status.h"
#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// A bound of a job that a JobManager accepts, besides kMaxMaxParallelism.
constexpr int64_t kMaxJobChannels = 10'000'000;  // Between all subtasks of all edges.

/// Refuses a graph that cannot run: ids that are no ids or appear twice, parallelism out of bounds,
/// edges that lead nowhere or backwards. InvalidArgument names the operator and the value.
absl::Status checkJobGraph(const proto::JobGraph& graph);

}  // namespace wiesel::runtime
