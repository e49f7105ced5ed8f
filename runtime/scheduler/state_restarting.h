#pragma once

#include <cstdint>
#include <string>

#include "runtime/scheduler/stopping_state.h"

namespace wiesel::runtime {

/// A failure is being recovered from: the tasks end and the restart strategy's delay, which began
/// with the failure, passes. Lost slots and the state to restore are asked for meanwhile. Flink:
/// DefaultScheduler.restartTasksWithDelay; also there both happen at the same time.
class Restarting final : public StoppingState {
 public:
  Restarting(JobScheduler& job, int64_t delay_ms) : StoppingState(job), delay_ms_(delay_ms) {}

  JobStatus status() const override { return JobStatus::kRestarting; }
  void onResourcesChanged() override;
  void onFailure(const JobFailure& failure) override;
  void onCancel() override;

 protected:
  std::string cause() const override;
  void begin() override;
  void onStopped() override;

 private:
  const int64_t delay_ms_;
  bool delay_over_ = false;
  bool restore_asked_ = false;
};

}  // namespace wiesel::runtime
