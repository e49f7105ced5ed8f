#pragma once

#include <vector>

#include "checkpoint/coordinator/task_gateway.h"
#include "checkpoint/job_topology.h"

namespace wiesel::checkpoint {

/// What the coordinator knows of each subtask of the job's current attempt.
///
/// Threads: not thread-safe; belongs to the coordinator.
class TaskStates {
 public:
  enum class State { kNotRunning, kRunning, kFinished };

  explicit TaskStates(const JobTopology& topology);

  /// False, and nothing changes, when the task is of an attempt that is over or not of this job.
  bool setRunning(const ExecutionRef& task);
  bool setFinished(const ExecutionRef& task);
  bool setReachedEnd(const ExecutionRef& task);

  /// All subtasks are not running again; reports of the attempts seen so far are refused.
  void reset();

  State stateOf(int vertex, int subtask) const { return at(vertex, subtask).state; }
  bool isRunning(const ExecutionRef& task) const;
  ExecutionRef refOf(int vertex, int subtask) const;

  /// No subtask is in kNotRunning.
  bool allStarted() const { return not_running_ == 0; }

  /// All subtasks run or have finished, and all that run have reached the end; one runs at least.
  bool allReachedEnd() const;

 private:
  struct Task {
    State state = State::kNotRunning;
    int attempt = 0;
    bool reached_end = false;
  };

  Task* find(const ExecutionRef& task);
  const Task& at(int vertex, int subtask) const { return tasks_[vertex][subtask]; }
  void set(Task& task, State state);

  const JobTopology& topology_;  // Not owned.
  std::vector<std::vector<Task>> tasks_;
  int not_running_ = 0;
  int oldest_attempt_ = 0;  // Reports of older ones are refused.
  int newest_attempt_ = -1;
};

}  // namespace wiesel::checkpoint
