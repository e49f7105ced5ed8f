#pragma once

#include "runtime/scheduler/scheduler_state.h"

namespace wiesel::runtime {

/// The tasks are deployed; the job runs until all have FINISHED or something fails.
/// Flink: Executing.
class Executing final : public SchedulerState {
 public:
  using SchedulerState::SchedulerState;

  JobStatus status() const override { return JobStatus::kRunning; }
  void enter() override {}
  void onTasksChanged() override;
  void onFailure(const JobFailure& failure) override;
  void onCancel() override;
};

}  // namespace wiesel::runtime
