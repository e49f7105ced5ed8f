#pragma once

#include "absl/status/status.h"
#include "runtime/task/operator_chain.h"
#include "runtime/task/task_spec.h"

namespace wiesel::runtime {

/// Fetches the state that a task was deployed with and gives it to the chain's operators, which are
/// not open yet; also opens their databases when the job keeps keyed state in some.
///
/// Errors: those of the snapshot store (a file is missing or damaged), Unimplemented for a format
///         that does not fit the job's state backend. Nothing is half restored: the task does not
///         run then.
/// Flink:  StreamTaskStateInitializerImpl (1.20).
absl::Status restoreChain(const TaskSpec& spec, const TaskEnvironment& environment,
                          OperatorChain& chain);

}  // namespace wiesel::runtime
