#pragma once

#include "absl/status/status.h"
#include "runtime/graph/job_plan.h"
#include "runtime/proto/control.pb.h"

namespace wiesel::runtime {

/// A deployment comes in a message: InvalidArgument when `plan` has no such task, or one with other
/// inputs and outputs.
absl::Status checkDeployment(const proto::TaskDeployment& task, const JobPlan& plan);

}  // namespace wiesel::runtime
