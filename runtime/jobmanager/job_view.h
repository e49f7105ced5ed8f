#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/coordinator/checkpoint_coordinator.h"
#include "runtime/graph/execution_state.h"
#include "runtime/proto/job_graph.pb.h"
#include "runtime/scheduler/job_status.h"

namespace wiesel::runtime {

/// The current attempt of a subtask. Times are epoch milliseconds.
struct SubtaskView {
  ExecutionState state = proto::CREATED;
  int32_t attempt = 0;
  StateTimestamps entered_ms{};
  std::string task_manager_id;  // Empty until it is deployed.
  std::string host;
  std::string endpoint;  // host:port of the worker's data server, or the host.

  /// When it was deployed, or -1; when it ended, or -1.
  int64_t startMs() const;
  int64_t endMs() const;
};

struct VertexView {
  std::string id;
  std::string name;
  int32_t parallelism = 0;
  int32_t max_parallelism = 0;
  std::string slot_sharing_group;
  ExecutionState state = proto::CREATED;  // Of all subtasks.
  StateCounts counts{};                   // Of subtasks.
  std::vector<SubtaskView> subtasks;

  /// When its first subtask was deployed, or -1; when its last one ended, or -1 while one runs.
  int64_t startMs() const;
  int64_t endMs() const;
};

/// One failure, in both forms.
struct FailureView {
  std::string line;           // For people: root cause first, operator and subtask, in one line.
  std::string flink_text;     // Flink's form: JobException, "Caused by: ", trace.
  std::string job_exception;  // "Recovery is suppressed by ..."; empty when the job was restarted.
  std::string message;        // The root cause alone.
  int64_t timestamp_ms = 0;
  std::string task_name;  // "map (1/2)"; empty when it was not in a task.
  int32_t attempt = 0;
  std::string task_manager_id;
  std::string host;
  bool user_code = false;
};

struct ExceptionView {
  FailureView root;
  std::vector<FailureView> concurrent;
};

/// A job as it was at one moment, for REST and the client; does not change and refers to nothing.
struct JobView {
  std::string id;
  std::string name;
  JobStatus status = JobStatus::kInitializing;
  int64_t now_ms = 0;    // When the view was taken.
  int64_t start_ms = 0;  // When the job came.
  int64_t end_ms = -1;
  int64_t last_modified_ms = 0;
  StatusTimestamps status_entered_ms{};
  int32_t restarts = 0;
  std::string waiting;  // "waiting for 2 slots, 1 there"; empty when it is not.
  std::vector<VertexView> vertices;
  StateCounts task_counts{};
  std::optional<FailureView> failure;     // Why it has FAILED, or is about to.
  std::vector<ExceptionView> exceptions;  // Newest first.
  checkpoint::CheckpointCounts checkpoints;
  std::string latest_checkpoint_path;            // Empty when there is none.
  std::shared_ptr<const proto::JobGraph> graph;  // Shared: large, and never changes.

  int64_t durationMs() const { return (end_ms < 0 ? now_ms : end_ms) - start_ms; }
};

}  // namespace wiesel::runtime
