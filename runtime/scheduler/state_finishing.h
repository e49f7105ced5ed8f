#pragma once

#include "runtime/scheduler/scheduler_state.h"

namespace wiesel::runtime {

/// All tasks have ended: slots and workers are given back and checkpoints that need not stay are
/// deleted. The job keeps its status until that is done; then it has its final one.
class Finishing final : public SchedulerState {
 public:
  Finishing(JobScheduler& job, JobStatus final_status);

  JobStatus status() const override { return status_before_; }
  void enter() override;
  void onFailure(const JobFailure&) override {}
  void onCancel() override {}

 private:
  const JobStatus status_before_;
  const JobStatus final_status_;
};

}  // namespace wiesel::runtime
