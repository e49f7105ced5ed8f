#pragma once

#include "runtime/scheduler/scheduler_state.h"

namespace wiesel::runtime {

/// All tasks are SCHEDULED: the job waits for its slots, for a worker on each TaskManager, and
/// after a failure for the state to restore; then it is deployed. Slots that get lost are waited
/// for again.
///
/// Flink: DefaultScheduler while it allocates slots; the job's status is RUNNING there too.
class WaitingForResources final : public SchedulerState {
 public:
  using SchedulerState::SchedulerState;

  JobStatus status() const override { return JobStatus::kRunning; }
  void enter() override;
  void onResourcesChanged() override;
  void onFailure(const JobFailure& failure) override;
  void onCancel() override;

 private:
  void waitForSlots();
  void waitForWorkers();
};

}  // namespace wiesel::runtime
