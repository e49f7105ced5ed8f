#pragma once

#include <memory>

#include "runtime/scheduler/scheduler_state.h"

namespace wiesel::runtime {

/// The job waits for start(), that is for its storage and for the state that it starts from.
/// Flink: Created, with INITIALIZING as its status.
class Created final : public SchedulerState {
 public:
  using SchedulerState::SchedulerState;

  JobStatus status() const override { return JobStatus::kInitializing; }
  void enter() override {}
  void onResourcesChanged() override;
  void onFailure(const JobFailure& failure) override;
  void onCancel() override;
};

}  // namespace wiesel::runtime
