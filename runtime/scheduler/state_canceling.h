#pragma once

#include <memory>
#include <string>

#include "runtime/scheduler/stopping_state.h"

namespace wiesel::runtime {

/// Somebody has cancelled the job: the tasks end, then it is CANCELED. Flink: Canceling.
class Canceling final : public StoppingState {
 public:
  using StoppingState::StoppingState;

  JobStatus status() const override { return JobStatus::kCancelling; }
  void onFailure(const JobFailure&) override {}  // Nothing is left to recover.
  void onCancel() override {}

 protected:
  std::string cause() const override { return "the job is cancelled"; }
  void onStopped() override;
};

}  // namespace wiesel::runtime
