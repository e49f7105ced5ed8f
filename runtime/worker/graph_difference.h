#pragma once

#include <string>

#include "runtime/proto/job_graph.pb.h"

namespace wiesel::runtime {

/// Compares what a worker's main() built with what the client handed in: the vertices, their
/// operators and the edges, not the settings. Returns "" when they agree, else one line that names
/// the first operator that differs and says what to do.
std::string graphDifference(const proto::JobGraph& submitted, const proto::JobGraph& built);

}  // namespace wiesel::runtime
