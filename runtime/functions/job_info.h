#pragma once

#include <string>

#include "runtime/operators/operator_context.h"

namespace wiesel {

/// The job that a function runs in. Flink: JobInfo (1.20).
class JobInfo {
 public:
  explicit JobInfo(const runtime::OperatorContext& context) : context_(&context) {}

  /// 32 hex digits.
  const std::string& getJobId() const { return context_->job_id; }
  const std::string& getJobName() const { return context_->job_name; }

 private:
  const runtime::OperatorContext* context_;  // Not owned.
};

/// The task that a function runs in: one attempt of one subtask. Flink: TaskInfo (1.20).
class TaskInfo {
 public:
  explicit TaskInfo(const runtime::OperatorContext& context) : context_(&context) {}

  /// The names of the operators that run in one task, such as "Source: numbers -> Map".
  const std::string& getTaskName() const { return context_->task_name; }
  /// "Source: numbers -> Map (1/2)#0": with the subtask, from 1, and the attempt.
  std::string getTaskNameWithSubtasks() const {
    return context_->task_name + " (" + std::to_string(context_->subtask + 1) + "/" +
           std::to_string(context_->parallelism) + ")#" + std::to_string(context_->attempt);
  }
  int getIndexOfThisSubtask() const { return context_->subtask; }
  int getNumberOfParallelSubtasks() const { return context_->parallelism; }
  int getMaxNumberOfParallelSubtasks() const { return context_->max_parallelism; }
  /// 0 for the first attempt, one more after each restart.
  int getAttemptNumber() const { return context_->attempt; }

 private:
  const runtime::OperatorContext* context_;  // Not owned.
};

}  // namespace wiesel
