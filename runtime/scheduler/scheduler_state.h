#pragma once

#include "runtime/scheduler/job_failure.h"
#include "runtime/scheduler/job_status.h"

namespace wiesel::runtime {

class JobScheduler;

/// What a job does at present, and what it does next when something happens. One file a state:
///
///   Created -> WaitingForResources -> Executing -> Finishing
///                  ^     |                |
///                  |     v                v
///               Restarting <--------- (failure) ------> Failing -> Finishing
///
/// and from each of them, but Failing and Finishing, to Canceling -> Finishing.
///
/// A state is entered once and is gone after the call of JobScheduler::goTo() in one of its methods
/// returns, which is the last thing that the method does. The scheduler has already brought the
/// execution graph up to date when it calls a state.
///
/// Flink: the states of AdaptiveScheduler (1.20); what happens is DefaultScheduler's.
class SchedulerState {
 public:
  explicit SchedulerState(JobScheduler& job) : job_(job) {}
  SchedulerState(const SchedulerState&) = delete;
  SchedulerState& operator=(const SchedulerState&) = delete;
  virtual ~SchedulerState() = default;

  virtual JobStatus status() const = 0;
  virtual void enter() = 0;

  /// Slots came or went, a worker became ready, or the state to restore is there.
  virtual void onResourcesChanged() {}
  /// Subtasks have changed their states.
  virtual void onTasksChanged() {}
  /// Something failed: a task, a worker, or the job as a whole.
  virtual void onFailure(const JobFailure& failure) = 0;
  /// Why a worker ended, which was part of the newest failure, is known now.
  virtual void onCauseLearnt() {}
  virtual void onCancel() = 0;

 protected:
  JobScheduler& job_;
};

}  // namespace wiesel::runtime
