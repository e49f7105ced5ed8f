#pragma once

#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpoint/job_topology.h"
#include "checkpoint/metadata/checkpoint_metadata.h"
#include "common/ids.h"

namespace wiesel::checkpoint {

/// The operators of a checkpoint by id. Borrows the metadata.
using OperatorsById = std::map<OperatorId, const OperatorSnapshot*>;

/// Finds out which subtasks of a job had ended in a checkpoint, [vertex][subtask], and checks that
/// the job still fits to it: the operators of a chain ended together, and nobody who ended has a
/// predecessor that goes on. A vertex whose parallelism changed counts as ended only as a whole.
/// Pure.
///
/// Errors: FailedPrecondition that names the vertices.
/// Flink:  VertexFinishedStateChecker (1.20).
absl::StatusOr<std::vector<std::vector<bool>>> findFinishedSubtasks(const OperatorsById& operators,
                                                                    const JobTopology& topology);

}  // namespace wiesel::checkpoint
