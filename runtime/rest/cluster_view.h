#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/jobmanager/job_view.h"

namespace wiesel::runtime {

struct ClusterCounts {
  int32_t task_managers = 0;
  int32_t slots = 0;
  int32_t free_slots = 0;
};

/// What REST shows of a cluster, and the little that it can do to it. Called on the loop that
/// RestApi was given.
class ClusterView {
 public:
  virtual ~ClusterView() = default;

  virtual ClusterCounts counts() const = 0;
  virtual std::vector<JobView> jobs() const = 0;
  virtual std::optional<JobView> job(const std::string& job_id) const = 0;
  /// As Dispatcher::cancel.
  virtual absl::Status cancel(const std::string& job_id) = 0;
};

}  // namespace wiesel::runtime
