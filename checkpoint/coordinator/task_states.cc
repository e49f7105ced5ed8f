#include "checkpoint/coordinator/task_states.h"

#include <algorithm>

namespace wiesel::checkpoint {

TaskStates::TaskStates(const JobTopology& topology) : topology_(topology) { reset(); }

bool TaskStates::setRunning(const ExecutionRef& task) {
  Task* found = find(task);
  if (found == nullptr || found->state == State::kFinished) return false;
  set(*found, State::kRunning);
  return true;
}

bool TaskStates::setFinished(const ExecutionRef& task) {
  Task* found = find(task);
  if (found == nullptr) return false;
  set(*found, State::kFinished);
  return true;
}

bool TaskStates::setReachedEnd(const ExecutionRef& task) {
  Task* found = find(task);
  if (found == nullptr) return false;
  found->reached_end = true;
  return true;
}

void TaskStates::reset() {
  tasks_.clear();
  not_running_ = 0;
  for (const JobTopology::Vertex& vertex : topology_.vertices) {
    tasks_.emplace_back(vertex.parallelism);
    not_running_ += vertex.parallelism;
  }
  oldest_attempt_ = newest_attempt_ + 1;
}

bool TaskStates::isRunning(const ExecutionRef& task) const {
  const int vertex = topology_.indexOf(task.vertex);
  if (vertex < 0 || task.subtask < 0 || task.subtask >= static_cast<int>(tasks_[vertex].size())) {
    return false;
  }
  const Task& found = at(vertex, task.subtask);
  return found.state == State::kRunning && found.attempt == task.attempt;
}

ExecutionRef TaskStates::refOf(int vertex, int subtask) const {
  return {topology_.vertices[vertex].id, subtask, at(vertex, subtask).attempt};
}

bool TaskStates::allReachedEnd() const {
  bool one_runs = false;
  for (const std::vector<Task>& vertex : tasks_) {
    for (const Task& task : vertex) {
      if (task.state == State::kNotRunning) return false;
      if (task.state == State::kFinished) continue;
      if (!task.reached_end) return false;
      one_runs = true;
    }
  }
  return one_runs;
}

TaskStates::Task* TaskStates::find(const ExecutionRef& task) {
  const int vertex = topology_.indexOf(task.vertex);
  if (vertex < 0 || task.attempt < oldest_attempt_) return nullptr;
  if (task.subtask < 0 || task.subtask >= static_cast<int>(tasks_[vertex].size())) return nullptr;
  Task& found = tasks_[vertex][task.subtask];
  found.attempt = task.attempt;
  newest_attempt_ = std::max(newest_attempt_, task.attempt);
  return &found;
}

void TaskStates::set(Task& task, State state) {
  if (task.state == State::kNotRunning) --not_running_;
  task.state = state;
}

}  // namespace wiesel::checkpoint
