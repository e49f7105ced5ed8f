#pragma once

#include <string>

#include "runtime/scheduler/stopping_state.h"

namespace wiesel::runtime {

/// The job is given up: the tasks end, then it has FAILED. When a worker's end was the reason it
/// waits a moment for the words of its TaskManager. Flink: Failing.
class Failing final : public StoppingState {
 public:
  using StoppingState::StoppingState;

  JobStatus status() const override { return JobStatus::kFailing; }
  void onFailure(const JobFailure& failure) override;
  void onCauseLearnt() override { goOnIfStopped(); }
  void onCancel() override {}  // Flink: a job that is failing cannot be cancelled any more.

 protected:
  std::string cause() const override;
  void begin() override;
  void onStopped() override;

 private:
  bool cause_awaited_ = false;
};

}  // namespace wiesel::runtime
